import { beforeEach, describe, expect, test } from "vitest";
import { readable } from "../../../cli/access/readable";
import { exitCode, headline } from "../../../cli/access/report";
import { folderNamed, objectNamed } from "../../../cli/access/target";
import { answers, freshEmulator } from "../../harness/emulators";
import { accessOf, allow, create, lines, note, planOf, setNote } from "./access-sample";
import { resource } from "./drift-state";
import { formatsOf, table } from "./rendered";

const emulator = freshEmulator({ readings: { userEntry: "manual" } });
const extended = freshEmulator({ extended: true });

describe("users whom the list of users leaves out", () => {
  const targets = [objectNamed("note/501")];
  beforeEach(() => setNote(emulator, [allow(["read"], { svcUsers: [108, 990] })]));

  test("pending users have their address, and a mark; others a mark", async () => {
    const report = await accessOf(emulator, { targets });
    const pending = report.platforms[0]!.users.find(({ id }) => id === 108);
    expect(pending).toMatchObject({ email: "pending1@analytics.example.com", pending: true, listed: false });
    expect(table(readable(report))).toContain(
      "108 (pending1@analytics.example.com, pending), 990 (not in the list of users)",
    );
    const one = await accessOf(emulator, { targets, users: ["pending1@analytics.example.com"] });
    expect(one.platforms[0]!.users.map(({ id }) => id)).toEqual([108]);
  });

  test("a token that may not list them: the reason", async () => {
    const report = await accessOf(emulator, { targets }, {}, "user");
    expect(report.platforms[0]!.notes).toContainEqual(
      expect.stringMatching(/named by a policy or a group: user 108, 990\. .*pending users cannot be listed: .*403/),
    );
  });
});

test("groups that the token may not read: the rest is shown, with the reasons", async () => {
  await setNote(extended, [allow(["read"], { svcUsers: [104], svcGroups: [204] })]);
  answers(extended, ["groups.list", "groups.users"], 403, {});
  const report = await accessOf(extended, { targets: [objectNamed("note/501")] }, { extendedApi: "true" });
  expect(report.platforms[0]!.notes).toEqual([
    expect.stringMatching(/^the groups cannot be listed, so some are shown by their ids: .*403/),
    expect.stringMatching(/^the members of group 204 cannot be listed: .*403/),
  ]);
  expect(report.objects[0]!.access).not.toEqual([]);
});

test("a folder that somebody names, and that shows no policy: an error like that of an object", async () => {
  const report = await accessOf(extended, { targets: [folderNamed("notes/Nope")] }, { extendedApi: "true" });
  expect(report.objects[0]).toMatchObject({
    unknown: "the platform shows no policy of it: it has none, or there is no such folder",
    access: [],
  });
  expect(exitCode(report, false)).toBe(1);
  const wrong = await accessOf(extended, { targets: [objectNamed("note/999")] });
  expect(exitCode(wrong, false)).toBe(1);
  // A grant on a folder without a policy is its first element.
  const inputs = { type: "notes", location: "Common/reports/weekly", user: 104, allow: ["read"] };
  const plan = planOf([], create(resource("FolderGrant", "f", "notes/Common/reports/weekly/user:104", inputs)));
  const granted = await accessOf(extended, { plan }, { extendedApi: "true" });
  expect(lines(granted.changes)).toEqual(["104 gains read on notes/Common/reports/weekly"]);
  expect(exitCode(granted, false)).toBe(0);
});

const policy = [allow(["read"], { svcGroups: [204] })];
const noteOf = (accountId?: number) => note(policy, {}, "501", { accountId });
const address = resource("WhitelistedIp", "office", "7", {}, { outputs: { accountId: 1001 } });

test.each([
  ["the object's own resource names its account", [noteOf(1001)]],
  ["another resource of the stack names it", [noteOf(), address]],
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
  const question = { state: [noteOf(1001)], targets, users: ["ana@example.com"] };
  const report = await accessOf(emulator, question, {}, "otherAdmin");
  expect(report.objects[0]!.unknown).toMatch(/^the other resources belong to account 1001, but the token/);
  expect(exitCode(report, false)).toBe(1);
});
