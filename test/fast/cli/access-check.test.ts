import { beforeEach, describe, expect, test } from "vitest";
import { readable } from "../../../cli/access/readable";
import { exitCode, headline } from "../../../cli/access/report";
import { folderNamed, objectNamed } from "../../../cli/access/target";
import { answers, freshEmulator } from "../../harness/emulators";
import { emulate } from "../emulator/calls";
import * as sample from "./access-sample";
import { encrypted, formatsOf, of, prefix, providerOf, resource, table } from "./stacks";

const { accessOf, allow, create, deny, grant, lines, note, planOf, setNote, verdictsOf } = sample;
const emulator = freshEmulator({ readings: { userEntry: "manual" } });
const extended = freshEmulator({ extended: true });

const notePolicy = [
  allow(["read", "update"], { svcGroups: [204] }),
  deny(["all"], { svcUsers: [105], svcGroups: [204] }),
];
const ofFolder = { type: "notes", location: "Common/reports", policy: [allow(["write"], { svcUsers: [106] })] };
const folder = resource("FolderPolicy", "reports", "notes/Common/reports", ofFolder);

describe("from the platform", () => {
  test("every user and every action, with the element that decides and the group", async () => {
    await setNote(emulator, notePolicy);
    const report = await accessOf(emulator, { state: [note(notePolicy)] });
    const [object] = report.objects;
    expect(object).toMatchObject({ object: "note/501", kind: "object", from: "platform", notes: [] });
    expect(object!.resources).toEqual([`${prefix}dataplatform:index:ObjectPolicy::churn`]);
    const words = (user: number) => Object.values(verdictsOf(object!, user)).join(" ");
    expect(Object.keys(verdictsOf(object!, 104))).toEqual(["read", "update", "delete", "manage"]);
    expect(words(104)).toBe("allowed allowed denied not-said");
    expect(words(105)).toBe("denied denied denied not-said");
    expect(words(101)).toBe("not-said not-said not-said not-said");
    const row = object!.access.find(({ users }) => users.includes(104))!;
    const reason =
      "element 0 allows read: it names group 204 of the user and names the action; it takes precedence over element 1";
    expect(row.verdicts["read"]).toEqual({ verdict: "allowed", by: 0, group: 204, reason });
    expect(report.platforms[0]!.groups).toContainEqual({ id: 204, name: "analysts" });
    expect(report.platforms[0]!.users.find(({ id }) => id === 104)).toEqual({
      ...{ id: 104, email: "analyst@analytics.example.com", name: "Ana Analyst" },
      ...{ groups: [203, 204], groupsKnown: true, listed: true },
    });
    expect(JSON.stringify(report)).not.toContain("analytics-");
  });

  test.each([
    ["a policy", note(notePolicy)],
    ["a grant", grant({ user: 104, allow: ["delete"] })],
  ])("%s changed by hand is shown as it is, with a note", async (_, declared) => {
    await setNote(emulator, [allow(["read"], { svcUsers: [105] })]);
    const { objects } = await accessOf(emulator, { state: [declared] });
    expect(verdictsOf(objects[0]!, 105)["read"]).toBe("allowed");
    expect(objects[0]!.notes).toEqual([expect.stringMatching(/not what the stack declares.*dataplatform drift/)]);
  });
});

describe("what cannot be read", () => {
  test("a folder without the extended API: from the state; with it, from the platform, and groups tell their members", async () => {
    const plain = await accessOf(emulator, { state: [folder] });
    expect(plain.objects[0]).toMatchObject({ kind: "folder", object: "notes/Common/reports", from: "state" });
    const note = expect.stringMatching(/^as the last "pulumi up" has set it: .*extended API/);
    expect(plain.objects[0]!.notes).toEqual([note]);
    expect(verdictsOf(plain.objects[0]!, 106)).toEqual({ read: "not-said", write: "allowed" });
    await setNote(extended, [allow(["read"], { svcGroups: [204] })]);
    extended.clearRequests();
    const targets = [folderNamed("notes/Users/owner@analytics.example.com/private"), objectNamed("note/501")];
    const { objects } = await accessOf(extended, { targets }, { extendedApi: "true" });
    expect(objects[0]).toMatchObject({ from: "platform", notes: [] });
    expect([verdictsOf(objects[0]!, 106)["read"], verdictsOf(objects[1]!, 104)["read"]]).toEqual([
      "allowed",
      "allowed",
    ]);
    expect(extended.requests().counts).toMatchObject({ "groups.users": 1 });
  });

  test("a policy that the token may not view: from the state, else unknown and counted", async () => {
    const question = { state: [note(notePolicy)], targets: ["note/501", "note/502"].map(objectNamed) };
    const report = await accessOf(emulator, question, {}, "powerless");
    expect(report.objects.map(({ object, from }) => [object, from])).toEqual([
      ["note/501", "state"],
      ["note/502", undefined],
    ]);
    expect(report.objects[1]!.unknown).toMatch(/403.*viewing the object policy/);
    expect(table(readable(report))).toContain("1 policy could not be read\n");
    expect(exitCode(report, false)).toBe(1);
    expect(report.platforms[0]!.notes).toEqual([expect.stringMatching(/^the users cannot be listed, so only those/)]);
  });

  test("a user whose groups nobody shows: unknown where it matters, decided where it does not", async () => {
    const policy = [
      allow(["read"], { svcGroups: [204] }),
      deny(["update"], { svcUsers: [105] }),
      allow(["update"], { svcGroups: [204] }),
    ];
    const report = await accessOf(emulator, { state: [note(policy)] }, {}, "powerless");
    expect(verdictsOf(report.objects[0]!, 105)).toMatchObject({ read: "unknown", update: "denied" });
    const row = report.objects[0]!.access.find(({ users }) => users.includes(105))!;
    expect(row.verdicts["read"]!.reason).toBe("it depends on whether the user is in group 204, which cannot be read");
  });

  test("a platform that shows groups by name: unknown, unless a group of the stack names it", async () => {
    await using byName = await emulate();
    const policy = [allow(["read"], { svcGroups: [204] })];
    await setNote(byName, policy);
    const plain = await accessOf(byName, { state: [note(policy)] });
    expect(verdictsOf(plain.objects[0]!, 104)["read"]).toBe("unknown");
    const text = table(readable(plain, ["--stack", "dev"]));
    expect(text).toMatch(/^Policies name groups by id, .*\(analysts, everyone, .*\), so who is in group 204 is open\./);
    expect(text.split("\n")[1]).toMatch(/, and run: dataplatform access --stack dev --group 204=NAME$/);
    expect(text).toMatch(/! depends on group 204 +\? not said .* 104 \(analyst@/);
    const group = resource("Group", "g", "204", { name: "analysts" });
    const { objects, platforms } = await accessOf(byName, { state: [note(policy), group] });
    expect([104, 105].map((user) => verdictsOf(objects[0]!, user)["read"])).toEqual(["allowed", "not-said"]);
    expect(platforms[0]).not.toHaveProperty("unnamedGroups");
  });

  test("a wrong token is an error, not a report", async () => {
    const asked = accessOf(emulator, { state: [note(notePolicy)] }, {}, "wrong-token-value");
    await expect(asked).rejects.toThrow(/^(?!.*wrong-token-value).*401/s);
  });
});

test("a policy that the program marks as a secret is not shown, not even from the platform", async () => {
  await setNote(emulator, notePolicy);
  const report = await accessOf(emulator, { state: [note(encrypted(notePolicy))] });
  expect(report.objects[0]!.unknown).toMatch(/marks the policy as a secret/);
  expect(report.objects[0]!.access).toEqual([]);
  expect(report.summary.unreadable).toBe(0);
  const ofUser = await accessOf(emulator, { state: [grant({ user: encrypted(104), allow: ["read"] })] });
  expect(ofUser.objects[0]).toMatchObject({ unknown: expect.stringMatching(/secret/), access: [] });
  const left = await accessOf(emulator, { state: [note(notePolicy, { sourceId: encrypted("501") })] });
  expect(left.objects).toEqual([]);
  expect(left.notes).toEqual(["ObjectPolicy churn is left out: the program marks it as a secret"]);
});

test.each([
  "pulumi:providers:dataplatform::research",
  "dataplatform:index:TeamEnvironment$pulumi:providers:dataplatform::research",
])("each object is judged with the users of its own account: %s", async (rest) => {
  const research = providerOf(rest, { baseUrl: emulator.url, apiToken: encrypted("research-admin") });
  const inputs = { sourceType: "note", sourceId: "551", policy: [] };
  const theirs = resource("ObjectPolicy", "protein", "note/551", inputs, of(research));
  const report = await accessOf(emulator, { state: [research, note(notePolicy), theirs] });
  expect(report.platforms).toHaveLength(2);
  const [churn, protein] = report.objects;
  expect(report.platforms[churn!.platform]!.users.map(({ id }) => id)).toContain(104);
  expect(report.platforms[protein!.platform]!.users.map(({ id }) => id)).toContain(151);
  expect(JSON.stringify(report)).not.toContain("research-admin");
});

describe("whom only a policy names", () => {
  const targets = [objectNamed("note/501")];
  beforeEach(() => setNote(emulator, [allow(["read"], { svcUsers: [108, 990], svcGroups: [991] })]));

  test("pending users have their address, and a mark; others a mark; groups their id", async () => {
    const report = await accessOf(emulator, { targets });
    const [{ users, groups }, { access }] = [report.platforms[0]!, report.objects[0]!];
    const pending = users.find(({ id }) => id === 108);
    expect(pending).toMatchObject({ email: "pending1@analytics.example.com", pending: true, listed: false });
    expect(groups).toContainEqual({ id: 991 });
    expect(access.find((row) => row.groups.includes(991))!.verdicts["read"]).toMatchObject({
      verdict: "allowed",
      reason: "element 0 allows read: it names group 991 of a member and names the action",
    });
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
