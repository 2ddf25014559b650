import { expect, test } from "vitest";
import type { Planned } from "../../../cli/pipeline/planned";
import { progressOf } from "../../../cli/pipeline/progress";
import { encryptedSecret } from "../../harness/secret-values";
import { planned, urn } from "./planned";

/* What a run that failed has done, read from the state and from nothing that the program can print. */

const step = (name: string, op: string, after: Planned["after"] = {}) => planned({ urn: urn(name), op, after });
const state = (name: string, more: object = {}) => ({ urn: urn(name), id: "1", modified: "then", inputs: {}, ...more });
const stack = (resources: object[], pending: object[] = []) => ({
  deployment: { resources: resources as { urn: string }[], pending_operations: pending },
});

test.each([
  ["create", [], [state("a")], "done"],
  ["create", [], [], "open"],
  ["delete", [state("a")], [], "done"],
  ["delete", [state("a")], [state("a")], "open"],
  ["update", [state("a")], [state("a", { modified: "now" })], "done"],
  ["update", [state("a")], [state("a")], "open"],
  // The refresh of a repair wrote what it found.
  ["update", [state("a")], [state("a", { modified: "now", inputs: { ipCidr: "by hand" } })], "open"],
  ["replace", [state("a")], [state("a", { id: "2" })], "done"],
  ["replace", [state("a")], [state("a")], "open"],
])("%s: from %j to %j is %s", (op, before, after, expected) => {
  expect(progressOf([step("a", op)], stack(before), stack(after))).toMatchObject({
    [expected]: [`${op} WhitelistedIp a`],
  });
});

test("half a replacement is named", () => {
  const told = (...after: object[]) => progressOf([step("a", "replace")], stack([state("a")]), stack(after)).done;
  expect(told(state("a", { id: "2" }), state("a", { delete: true }))).toEqual([
    "replace WhitelistedIp a: the old one is still to be deleted",
  ]);
  expect(told(state("a", { pendingReplacement: true }))).toEqual([
    "replace WhitelistedIp a: the old one is deleted, there is no new one yet",
  ]);
});

test("what the engine was stopped in is not known; secrets that are encrypted anew are no change", () => {
  const after = { p: encryptedSecret("new") };
  const all = [step("a", "create"), step("b", "same"), step("c", "update", { p: encryptedSecret("other") })];
  const before = stack([state("b"), state("c", { inputs: { p: encryptedSecret("old") } })]);
  const now = stack(
    [state("b", { inputs: after }), state("c", { modified: "now", inputs: after })],
    [{ resource: { urn: urn("a") }, type: "creating" }],
  );
  expect(progressOf(all, before, now)).toEqual({
    done: ["update WhitelistedIp c"],
    open: [],
    unknown: ["create WhitelistedIp a"],
  });
});
