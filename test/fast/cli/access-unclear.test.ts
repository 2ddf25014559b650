import { describe, expect, test } from "vitest";
import { exitCode, headline } from "../../../cli/access/report";
import type { StateResource } from "../../../cli/pulumi/stack";
import { unknownValue } from "../../../provider/core/engine-values";
import { freshEmulator } from "../../harness/emulators";
import * as sample from "./access-sample";
import { encrypted, resource } from "./stacks";

/** What a plan hides may give somebody access: `--fail-on-gain` must not pass it. */
const emulator = freshEmulator({ readings: { userEntry: "manual" } });
const { accessOf, allow, create, grant, lines, note, planOf, remove, update } = sample;
const hidings: [string, unknown][] = [
  ["known only after up", unknownValue],
  ["a secret", "[secret]"],
];

const granted = { user: 104, allow: ["read"] };
const policy = note([allow(["read"], { svcGroups: [203] })]);
const membership = (users: unknown, group: unknown = 204) => resource("GroupMembership", "m", "204", { group, users });
const group = (members: unknown, name: unknown = "analysts") => resource("Group", "g", "204", { name, members });

async function judged(state: StateResource[], ...steps: sample.Step[]) {
  const report = await sample.planned(emulator, state, steps);
  const notes = [...report.notes, ...report.platforms.flatMap((platform) => platform.notes)];
  return { code: exitCode(report, true), unknown: report.summary.changes!.unknown, notes, headline: headline(report) };
}
const unclear = { code: 2, unknown: 1 };

describe.each(hidings)("%s", (why, value) => {
  test.each([
    ["the object of a grant", grant({ ...granted, sourceId: value })],
    ["the type of an object", grant({ ...granted, sourceType: value })],
    ["the location of a folder", resource("FolderGrant", "g", "f", { ...granted, type: "notes", location: value })],
    ["the object of a policy", { ...policy, inputs: { ...policy.inputs, sourceId: value } }],
    ["all users of a membership", membership(value)],
    ["one user of a membership", membership([104, value])],
    ["the group of a membership", membership([104], value)],
  ])("%s: may be a gain, with or without other objects", async (__, made) => {
    for (const state of [[], [policy]]) {
      const found = await judged(state, create(made));
      expect(found).toMatchObject({ ...unclear, headline: expect.stringContaining("1 change not known") });
      expect(found.notes.join()).toMatch(RegExp(`\\b${made.urn.split("::").at(-1)}\\b.*${why}`));
    }
  });

  test("the members of a group that exists: may be a gain, and nobody is said to leave", async () => {
    const old = group([104]);
    for (const members of [value, [value]])
      expect(await judged([policy, old], update(old, group(members)))).toMatchObject(unclear);
  });

  test("a new group is in no policy, so its members gain nothing; what the plan leaves alone is noted only", async () => {
    const late = group([value], "late");
    const joins = { ...membership([value], unknownValue), propertyDependencies: { group: [late.urn] } };
    expect(await judged([policy], create(late), create(joins))).toMatchObject({ code: 0, unknown: 0 });
    const old = grant({ ...granted, sourceId: encrypted("501") });
    expect(await judged([old, policy])).toMatchObject({ code: 0, unknown: 0 });
  });
});

test("a secret that is deleted may have denied something", async () => {
  const hidden = grant({ user: 104, deny: ["read"], sourceId: encrypted("501") });
  expect(await judged([hidden], remove({ ...hidden, retainOnDelete: true }))).toMatchObject({ code: 0 });
  for (const one of [hidden, membership(encrypted([104]))])
    expect(await judged([one], remove(one))).toMatchObject(unclear);
});

test.each([
  ["a user whom the platform does not list", policy, membership(["new@example.com"])],
  ["a group that the platform does not list", policy, membership([104], "no-such-group")],
  ["what a group has by a policy that is a secret", note(encrypted([])), membership([105])],
])("%s may be anything", async (_, state, made) => {
  expect(await judged([state], create(made))).toMatchObject(unclear);
});

describe("a grant", () => {
  const changes = async (...made: StateResource[]) => {
    const steps = made.map((one) => create(one));
    return lines((await sample.planned(emulator, [], steps)).changes);
  };

  test("of somebody who is known only after up, or into a policy that cannot be read", async () => {
    expect(await changes(grant({ group: unknownValue, allow: ["read"] }))).toEqual([
      "note/501: a grant of read to a group that is known only after up",
    ]);
    const report = await accessOf(emulator, { plan: planOf([], create(grant(granted))) }, {}, "powerless");
    expect(lines(report.changes)).toEqual([
      expect.stringMatching(/^note\/501: a grant is merged into the current policy, which is not known: .*403/),
    ]);
  });

  test("to a group that up creates: which group, and its members where the plan shows them", async () => {
    const made = resource("Group", "late", "", { name: "late", members: ["analyst@analytics.example.com"] });
    const comes = { propertyDependencies: { group: [made.urn] } };
    const joining = resource("GroupMembership", "more", "", { group: unknownValue, users: [105] }, comes);
    const allowing = { ...grant({ group: unknownValue, allow: ["manage"] }), ...comes };
    const denying = { ...grant({ group: unknownValue, deny: [unknownValue] }, "h"), ...comes };
    const late = "a group that up creates (Group late, with the members analyst@analytics.example.com, 105)";
    expect(await changes(made, joining, allowing, denying)).toEqual([
      `note/501: a grant of manage to ${late}; a denial of actions that are known only after up to ${late}`,
    ]);
  });
});

describe("on a platform that shows the groups of users by name only", () => {
  const byName = freshEmulator();
  const churn = (action: string[]) =>
    note([allow(action, { svcGroups: [204] }), sample.deny(["all"], { svcGroups: [204] })]);
  const noted = "in a group named analyst, the name given for group 204";

  test.each([
    ["no name", {}, { gains: 0, "may-gain": 1 }, ""],
    ["the name", { 204: "analysts" }, { gains: 1, "may-gain": 0 }, ""],
    // policies.json names the groups of all accounts.
    ["a name that another id is given too", { 204: "analysts", 254: "analysts" }, { gains: 1, "may-gain": 0 }, ""],
    ["a name that nobody has", { 204: "analyst" }, { gains: 0, "may-gain": 1 }, noted],
  ])("a gain by a group that is given %s is seen for one user too", async (_, names, changes, words) => {
    const [before, after] = [churn(["read"]), churn(["read", "delete"])];
    await sample.setNote(byName, before.inputs!["policy"] as object[]);
    const groupNames = new Map(Object.entries(names).map(([id, name]) => [Number(id), name]));
    const asked = { users: ["analyst@analytics.example.com"], groupNames };
    const report = await sample.planned(byName, [before], [update(before, after)], asked);
    expect(report.summary.changes).toMatchObject(changes);
    expect(exitCode(report, true)).toBe(2);
    expect(report.platforms[0]!.notes.join()).toContain(words);
  });
});
