import { describe, expect, test } from "vitest";
import { forJob } from "../../../cli/pipeline/drift";
import type { Planned } from "../../../cli/pipeline/planned";
import { progressOf } from "../../../cli/pipeline/progress";
import * as report from "../../../cli/pipeline/report";
import { encryptedSecret } from "../../harness/secret-values";
import { planned, urn } from "./planned";

/* How a step ends, in its report and in the terminal. */

const { composed, forTerminal, gateLines, refusalReport, updateReport } = report;

test("in a terminal there are no escapes and no tags, and code stays as it is", () => {
  const lines = ["| `a&#96;<br>` | `b`: 1<br>`c`: 2 |", "<details><summary>Access: x</summary>\n\ny\n\n</details>"];
  const text = composed(["### Plan"], gateLines(["`office_1` is <wide> & [open] | @team"]), [{ lines }]);
  expect(text).toContain("&#96;office_1&#96;");
  expect(forTerminal(text)).toBe(
    "### Plan\n\n- `office_1` is <wide> & [open] | @team\n\n| `a&#96;<br>` | `b`: 1; `c`: 2 |\nAccess: x\n\ny\n\n\n",
  );
});

test("a refusal says how a new plan is made where one helps, and not where one would be refused as well", () => {
  const told = (...reasons: string[]) => refusalReport("Plan", reasons, "Make a new plan: `make it`.").markdown;
  for (const reason of ["stale: x", "missing: x", "too old: x", "other key: x", "drifted: x"])
    expect(told(reason)).toContain("Make a new plan: `make it`.");
  for (const reason of ["not committed: x", "foreign code: x", "not verifiable: x", "too large: x"])
    expect(told("stale: y", reason)).not.toContain("Make a new plan");
});

test("who holds the stack, and the whole commands that free it and say what was begun", () => {
  const lock = "file:///state/dev.json: created by other@runner (pid 1) at 2026-01-01";
  const ran = { code: 1, stdout: "", stderr: `error: the stack is currently locked by 1 lock(s).\n  ${lock}\n` };
  const { markdown } = updateReport("Plan", { stack: "dev", ran, signer: undefined }, "");
  expect(markdown).toContain("If that run has ended: `pulumi cancel --stack dev` removes it, and `dataplatform doctor");
});

test("a job without a token is told which variable it needs, not what to set at a desk", () => {
  const missing = "error: the data platform is not configured; missing:\n  dataplatform:apiToken: ";
  const lines = 'run "pulumi config set …", or set DATAPLATFORM_API_TOKEN\nTo try it, start the emulator';
  const words = "DATAPLATFORM_API_TOKEN is not set: export it; a job gets it as a secret of its environment";
  expect(forJob(missing + lines, "dev")).toBe(words);
  expect(forJob("error: another", "dev")).toBe("error: another");
});

describe("an update that failed", () => {
  const told = (more: Partial<report.Updated["progress"] & object>, stdout = "", code = 1) => {
    const progress = { done: [], open: [], unknown: [], isUsedUp: false, ...more };
    const updated = { stack: "dev", ran: { code, stdout, stderr: "" }, signer: undefined, progress };
    return updateReport("Plan", updated, "Make a new plan: `make it`.").brief!;
  };

  test("and one that did not is told by the state, whatever was printed", () => {
    const done = told({ done: ["create A"], open: ["update B"] }, "Resources:\n    + 99 created\n", 0);
    expect(done).toContain("**Done: 1 of 2 changes of the plan**: create A; not in the state: update B");
  });

  test("says what it did and what not, and whether the plan is of use", () => {
    const some = told({ done: ["create A <b>"], open: ["update B"], unknown: ["create C"], isUsedUp: true });
    for (const words of [
      "The plan is used up: the state has moved. Make a new plan: `make it`.",
      "**Done before it failed:**\n\n- create A &#60;b&#62;\n",
      "**Begun, with an outcome that is not known; before a new plan, ask `dataplatform doctor`:**\n\n- create C\n",
      "**Not done:**\n\n- update B\n",
    ])
      expect(some).toContain(words);
  });

  const office = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::office";
  const violation = `    error: resource ${office} violates plan: properties changed: ~~ipCidr\n`;
  const missing = "    error: expected resource operations for urn:pulumi:dev::p::a:b:C::x but none were seen\n";

  test("that it departed from its plan: what departed, and that it is not to be tried again", () => {
    const departed = told({}, violation);
    expect(departed).toContain(
      "**The program departed from its plan, and was stopped.**\n\n- WhitelistedIp office: properties changed: &#126;&#126;ipCidr\n\n**Do not run it again before",
    );
    expect(departed).toContain("The state has not moved.\n");
    expect(departed).not.toContain("can be applied again");
    expect(told({ isUsedUp: true }, violation).match(/ake a new plan/g)).toHaveLength(1);
    const unplanned = told({}, "error: create is not allowed by the plan: no steps were expected for this resource");
    expect(unplanned).toContain("\n- create is not allowed by the plan: no steps");
    expect(told({}, missing)).toContain("departed from its plan");
    const ran = { code: 1, stdout: missing, stderr: "", isInterrupted: true } as const;
    const cancelled = updateReport("Plan", { stack: "dev", ran, signer: undefined }, "").brief!;
    expect([cancelled.includes("departed"), cancelled.includes("**Interrupted.**")]).toEqual([false, true]);
    expect(told({}, "error: another one")).toContain("**Failed with exit code 1.**");
  });

  test("what follows from a failure is no departure, though a program may have printed the errors itself", () => {
    const failed = told({}, `${missing}    error: update failed\n    error: cannot create C: it is there already\n`);
    expect(failed).toContain("**Failed with exit code 1.**\n\n- cannot create C: it is there already\n");
    expect(failed).not.toContain("departed");
    expect(failed).toMatch(
      /\nThen expected resource operations for .* none were seen\. .*do not run it again before you know why\./,
    );
  });

  test("or that it did nothing", () => {
    const nothing = told({ open: ["update B"] });
    expect(nothing).toMatch(
      /\*\*Nothing of the plan was done\.\*\* The state has not moved.*the plan can be applied again/,
    );
    const refreshed = told({ open: ["update B"], isUsedUp: true });
    expect(refreshed).toMatch(
      /\*\*Nothing of the plan was done\*\*, but the state has moved, so it is of no use any more\./,
    );
    expect(refreshed).not.toContain("used up");
  });
});

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
