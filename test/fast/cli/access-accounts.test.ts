import { expect, test } from "vitest";
import { readable } from "../../../cli/access/readable";
import { exitCode, headline } from "../../../cli/access/report";
import { objectNamed } from "../../../cli/access/target";
import type { StateResource } from "../../../cli/pulumi/stack";
import { freshEmulator } from "../../harness/emulators";
import { accessOf, allow } from "./access-sample";
import { resource } from "./drift-state";
import { formatsOf } from "./rendered";

const emulator = freshEmulator({ readings: { userEntry: "manual" } });

const policy = [allow(["read"], { svcGroups: [204] })];
const note = (accountId?: number): StateResource => {
  const inputs = { sourceType: "note", sourceId: "501", policy };
  return resource("ObjectPolicy", "churn", "note/501", inputs, { outputs: { ...inputs, accountId } });
};
const address = resource("WhitelistedIp", "office", "7", {}, { outputs: { accountId: 1001 } });

test.each([
  ["the object's own resource names its account", [note(1001)]],
  ["another resource of the stack names it", [note(), address]],
])("a token of another account reads nothing, and both accounts are named: %s", async (_, state) => {
  emulator.clearRequests();
  const report = await accessOf(emulator, { state }, {}, "otherAdmin");
  expect(emulator.requests().counts).toEqual({ "account.view": 1 });
  expect(exitCode(report, false)).toBe(1);
  expect(headline(report)).toMatch(
    /^Wrong account: the token for .* belongs to account 1002 \(Research\), but \d resources? .* account 1001$/,
  );
  expect(report.accountMismatches).toMatchObject([{ token: { id: "1002" }, resourceAccounts: ["1001"] }]);
  const [object] = report.objects;
  expect(object).toMatchObject({ from: "state", policy });
  expect(object!.notes[0]).toMatch(/^as the last "pulumi up" has set it: .*account 1001, but the token belongs to/);
  expect(report.platforms[0]!.users, "no users of the other account").toEqual([]);
  for (const text of formatsOf(readable(report))) expect(text).toMatch(/Wrong account: .*account 1002/);
});

test("an object that is only named is that of the stack's account, too; a user of it is not looked for", async () => {
  const targets = [objectNamed("cluster/511")];
  const question = { state: [note(1001)], targets, users: ["ana@example.com"] };
  const report = await accessOf(emulator, question, {}, "otherAdmin");
  expect(report.objects[0]!.unknown).toMatch(/^the other resources belong to account 1001, but the token/);
  expect(exitCode(report, false)).toBe(1);
});
