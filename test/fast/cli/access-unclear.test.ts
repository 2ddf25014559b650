import { describe, expect, test } from "vitest";
import { exitCode, headline } from "../../../cli/access/report";
import type { StateResource } from "../../../cli/pulumi/stack";
import { unknownValue } from "../../../provider/core/engine-values";
import { freshEmulator } from "../../harness/emulators";
import { accessOf, allow, deny, grant, note, planned, planOf, type Step, setNote } from "./access-sample";
import { encrypted, resource } from "./drift-state";

/** What a plan hides may give somebody access: `--fail-on-gain` must not pass it. */
const emulator = freshEmulator({ readings: { userEntry: "manual" } });
const hidings: [string, unknown][] = [
  ["known only after up", unknownValue],
  ["a secret", "[secret]"],
];

const granted = { user: 104, allow: ["read"] };
const policy = note([allow(["read"], { svcGroups: [203] })]);
const membership = (users: unknown, group: unknown = 204) => resource("GroupMembership", "m", "204", { group, users });
const group = (members: unknown, name: unknown = "analysts") => resource("Group", "g", "204", { name, members });
const create = (newState: StateResource): Step => ({ op: "create", newState: planned(newState) });

async function judged(state: StateResource[], ...steps: Step[]) {
  const report = await accessOf(emulator, { state, plan: planOf(state, ...steps) });
  const notes = [...report.notes, ...report.platforms.flatMap((platform) => platform.notes)];
  return { code: exitCode(report, true), unknown: report.summary.changes!.unknown, notes, headline: headline(report) };
}

describe.each(hidings)("%s", (_, value) => {
  test.each([
    ["the object of a grant", grant({ ...granted, sourceId: value })],
    ["the type of an object", grant({ ...granted, sourceType: value })],
    ["the location of a folder", resource("FolderGrant", "g", "f", { ...granted, type: "notes", location: value })],
    ["the object of a policy", { ...policy, inputs: { ...policy.inputs, sourceId: value } }],
    ["all users of a membership", membership(value)],
    ["one user of a membership", membership([104, value])],
    ["the group of a membership", membership([104], value)],
  ])("%s: may be a gain, with or without other objects", async (__, newState) => {
    for (const state of [[], [policy]]) {
      const found = await judged(state, create(newState));
      expect(found).toMatchObject({ code: 2, unknown: 1, headline: expect.stringContaining("1 change not known") });
      expect(found.notes.join()).toContain(newState.urn.split("::").at(-1));
    }
  });

  test("the members of a group that exists: may be a gain, and nobody is said to leave", async () => {
    const old = group([104]);
    for (const members of [value, [value]]) {
      const step = { op: "update", oldState: old, newState: planned(group(members)) };
      expect(await judged([policy, old], step)).toMatchObject({ code: 2, unknown: 1 });
    }
  });

  test("a new group is in no policy, so its members gain nothing", async () => {
    const late = { ...planned(group([value], "late")), id: "" };
    const joins = { ...planned(membership([value], unknownValue)), propertyDependencies: { group: [late.urn] } };
    const found = await judged([policy], create(late), { op: "create", newState: joins });
    expect(found).toMatchObject({ code: 0, unknown: 0 });
  });

  test("what the plan leaves alone is noted only", async () => {
    const old = grant({ ...granted, sourceId: encrypted("501") });
    expect(await judged([old, policy])).toMatchObject({ code: 0, unknown: 0 });
  });
});

test("what is hidden is noted, with the reason", async () => {
  expect((await judged([policy], create(membership([unknownValue])))).notes).toEqual([
    "GroupMembership m changes the members of a group: which ones is known only after up",
  ]);
});

test("a secret that is deleted may have denied something", async () => {
  const hidden = grant({ user: 104, deny: ["read"], sourceId: encrypted("501") });
  expect(await judged([hidden], { op: "delete", oldState: hidden })).toMatchObject({ code: 2, unknown: 1 });
  const retained = { ...hidden, retainOnDelete: true };
  expect(await judged([hidden], { op: "delete", oldState: retained })).toMatchObject({ code: 0 });
  const left = membership(encrypted([104]));
  expect(await judged([left], { op: "delete", oldState: left })).toMatchObject({ code: 2, unknown: 1 });
});

test("a user or a group whom the platform does not list may be anybody", async () => {
  for (const newState of [membership(["new@example.com"]), membership([104], "no-such-group")])
    expect(await judged([policy], create(newState))).toMatchObject({ code: 2, unknown: 1 });
});

test("a member who joins, and a policy that is a secret: what the group has is not known", async () => {
  const state = [note(encrypted([]))];
  expect(await judged(state, create(membership([105])))).toMatchObject({ code: 2, unknown: 1 });
});

describe("on a platform that shows the groups of users by name only", () => {
  const byName = freshEmulator();
  const churn = (action: string[]) => note([allow(action, { svcGroups: [204] }), deny(["all"], { svcGroups: [204] })]);

  test.each([
    ["no name", [], { gains: 0, "may-gain": 1 }, undefined],
    ["the name", [[204, "analysts"]], { gains: 1, "may-gain": 0 }, undefined],
    [
      "a name that nobody has",
      [[204, "analyst"]],
      { gains: 0, "may-gain": 1 },
      "in a group named analyst, the name given for group 204",
    ],
  ] as const)("a gain by a group that is given %s is seen for one user too", async (_, names, changes, note) => {
    const [before, after] = [churn(["read"]), churn(["read", "delete"])];
    await setNote(byName, before.inputs!["policy"] as object[]);
    const plan = planOf([before], { op: "update", oldState: before, newState: planned(after) });
    const users = ["analyst@analytics.example.com"];
    const report = await accessOf(byName, { state: [before], plan, users, groupNames: new Map(names) });
    expect(report.summary.changes).toMatchObject(changes);
    expect(exitCode(report, true)).toBe(2);
    if (note !== undefined) expect(report.platforms[0]!.notes.join()).toContain(note);
  });
});
