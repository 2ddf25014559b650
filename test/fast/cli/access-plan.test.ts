import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planIn } from "../../../cli/access/plan";
import { readable } from "../../../cli/access/readable";
import { exitCode, headline } from "../../../cli/access/report";
import { objectNamed } from "../../../cli/access/target";
import type { StateResource } from "../../../cli/pulumi/stack";
import { unknownValue } from "../../../provider/core/engine-values";
import { freshEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";
import { emulate } from "../emulator/calls";
import { accessOf, allow, deny, lines, note, planned, planOf, type Step, setNote } from "./access-sample";
import { encrypted, resource } from "./drift-state";
import { formatsOf } from "./rendered";

const emulator = freshEmulator({ readings: { userEntry: "manual" } });
const folder = testFolder();

/** Note 501 has this policy on the platform: everyone (203) may read. */
const everyoneReads = [allow(["read"], { svcGroups: [203] })];

async function changes(state: StateResource[], ...steps: Step[]) {
  const report = await accessOf(emulator, { state, plan: planOf(state, ...steps) });
  return { report, lines: lines(report.changes).filter((line) => !/^(?!10[345] )\d/.test(line)) };
}

describe("what a plan changes", () => {
  test("an update: who gains and who loses, and through which group", async () => {
    const before = note(everyoneReads);
    const after = note([allow(["delete"], { svcGroups: [204] }), deny(["read"], { svcUsers: [105] })]);
    const found = await changes([before], { op: "update", oldState: before, newState: planned(after) });
    expect(found.lines).toEqual([
      "103 may-lose read on note/501",
      "104 may-lose read on note/501",
      "104 gains delete on note/501",
      "105 loses read on note/501",
      "members of 203 may-lose read on note/501",
      "members of 204 gains delete on note/501",
    ]);
    const gain = found.report.changes!.find(({ change, users }) => change === "gains" && users.length > 0)!;
    expect(gain).toMatchObject({ action: "delete", users: [104], before: { verdict: "not-said" } });
    expect(gain.after).toMatchObject({ verdict: "allowed", by: 0, group: 204 });
    expect(found.report.summary.changes).toEqual({ gains: 1, "may-gain": 0, loses: 1, "may-lose": 6, unknown: 0 });
    expect([exitCode(found.report, true), exitCode(found.report, false)]).toEqual([2, 0]);
  });

  test("no change of access: nothing to report, even if the policy is written in another way", async () => {
    const before = note(everyoneReads);
    const after = note([...everyoneReads, deny(["update"], { svcUsers: [991] })]);
    const found = await changes([before], { op: "update", oldState: before, newState: planned(after) });
    expect(found.lines.filter((line) => !line.startsWith("991"))).toEqual([]);
    expect(exitCode(found.report, true)).toBe(0);
    expect((await changes([before])).report.changes).toEqual([]);
  });

  test.each([
    ["restore", { originalPolicy: [allow(["update"], { svcUsers: [105] })] }, ["105 gains update on note/501"]],
    ["clear", {}, []],
    ["keep", { originalPolicy: [allow(["update"], { svcUsers: [105] })] }, undefined],
  ])("a deleted policy with onDestroy %s", async (onDestroy, outputs, gained) => {
    const old = note(everyoneReads, { onDestroy }, "501", outputs);
    const found = await changes([old], { op: "delete", oldState: old });
    const lost = ["103", "104", "105"].map((user) => `${user} may-lose read on note/501`);
    const members = "members of 203 may-lose read on note/501";
    expect(found.lines.sort()).toEqual(gained ? [...lost, ...gained, members].sort() : []);
  });

  test("a deleted policy that somebody else has changed stays, and so does one that is retained", async () => {
    const old = note([allow(["all"], { svcUsers: [104] })], {}, "501", { originalPolicy: [] });
    expect((await changes([old], { op: "delete", oldState: old })).lines).toEqual([]);
    const ours = note(everyoneReads, { onDestroy: "clear" });
    expect((await changes([ours], { op: "delete", oldState: { ...ours, retainOnDelete: true } })).lines).toEqual([]);
  });

  test("a policy that moves to another resource is not removed", async () => {
    const old = note(everyoneReads, { onDestroy: "clear" });
    const renamed = { ...planned(note(everyoneReads)), urn: `${old.urn}-renamed` };
    const found = await changes([old], { op: "create", newState: renamed }, { op: "delete", oldState: old });
    expect(found.lines).toEqual([]);
  });

  test("another object: the old one is restored, the new one set", async () => {
    const old = note(everyoneReads, {}, "501", { originalPolicy: [] });
    const found = await changes(
      [old],
      { op: "delete-replaced", oldState: old },
      { op: "replace", oldState: old, newState: planned(note(everyoneReads, {}, "502")) },
      { op: "create-replacement", newState: planned(note(everyoneReads, {}, "502")) },
    );
    expect(found.lines.filter((line) => line.startsWith("104"))).toEqual([
      "104 may-lose read on note/501",
      "104 gains read on note/502",
    ]);
  });
});

describe("what a plan does not tell", () => {
  test("a value that is known only after up, in the policy or as the object", async () => {
    const inPolicy = planned(note([allow(["read"], { svcGroups: [unknownValue] })], {}, "502"));
    const found = await changes([], { op: "create", newState: inPolicy });
    expect(found.lines).toEqual(["note/502: known only after up"]);
    const group = planned(resource("Group", "late", "", { name: "late" }));
    const newState = { ...inPolicy, propertyDependencies: { policy: [group.urn], sourceId: null } };
    const named = await changes([], { op: "create", newState: group }, { op: "create", newState });
    expect(named.lines).toEqual(["note/502: known only after up: it names a group that up creates (Group late)"]);
    expect(exitCode(found.report, true)).toBe(2);
    const object = planned(note(everyoneReads, {}, unknownValue));
    const { report } = await changes([], { op: "create", newState: object });
    expect(report.objects).toEqual([]);
    expect(report.notes).toEqual(["ObjectPolicy churn is left out: which one is known only after up"]);
  });

  test("a policy that the program marks as a secret is neither shown nor compared", async () => {
    const hidden = planned(note("[secret]"));
    const state = [note(encrypted(everyoneReads))];
    const found = await changes(state, { op: "update", oldState: state[0]!, newState: hidden });
    expect(found.lines).toEqual(["note/501: not shown: the program marks the policy as a secret"]);
    expect(JSON.stringify(found.report)).not.toContain("svcGroups");
  });

  test("who is in a group: nobody may gain what the new policy only denies", async () => {
    // This platform shows groups by name, and policies name them by id.
    await using byName = await emulate();
    const before = note(everyoneReads);
    const readersOnly = [allow(["read"], { svcGroups: [204] }), deny(["all"], { svcGroups: [204] })];
    const step = (policy: unknown) =>
      planOf([before], { op: "update", oldState: before, newState: planned(note(policy)) });
    const report = await accessOf(byName, { state: [before], plan: step(readersOnly) });
    const [gained, lost] = [/gain/, /lose/].map((verb) => lines(report.changes).filter((line) => verb.test(line)));
    expect(gained).toEqual(["members of 204 gains read on note/501"]);
    expect(lost).toEqual(
      expect.arrayContaining(["104 may-lose update on note/501", "104 may-lose delete on note/501"]),
    );
    expect(
      report.changes!.find(({ action, users }) => action === "delete" && users.includes(104))!.after,
    ).toMatchObject({
      verdict: "unknown",
      possible: ["not-said", "denied"],
    });
    const count = report.summary.changes!["may-lose"];
    expect(headline(report)).toBe(`The plan changes access: 1 gained, ${count} possibly lost`);
    const [text, comment, page] = formatsOf(readable(report));
    expect(text).toContain(`Possibly lost: ${count}\n`);
    expect(comment).toContain(`<summary>Possibly lost: ${count}</summary>`);
    expect(page).toContain(`<b>${count}</b> Possibly lost</button>`);
    const writers = await accessOf(byName, { state: [before], plan: step([allow(["all"], { svcGroups: [204] })]) });
    expect(lines(writers.changes)).toContain("104 may-gain update on note/501");
  });

  test("who is in a group: what was denied or not said is gained if it is allowed now", async () => {
    await using byName = await emulate();
    const before = note([deny(["update"], { svcGroups: [204] })]);
    await setNote(byName, [deny(["update"], { svcGroups: [204] })]);
    const newState = planned(note([allow(["update"], { svcUsers: [104] })]));
    const plan = planOf([before], { op: "update", oldState: before, newState });
    expect(lines((await accessOf(byName, { state: [before], plan })).changes)).toContain(
      "104 gains update on note/501",
    );
  });

  test("a policy that cannot be read before: what comes after is at most possible", async () => {
    const created = planned(note([allow(["read"], { svcUsers: [104] })], {}, "502"));
    const plan = planOf([], { op: "create", newState: created });
    const report = await accessOf(emulator, { plan }, {}, "powerless");
    expect(lines(report.changes)).toEqual(["104 may-gain read on note/502"]);
    expect([exitCode(report, true), exitCode(report, false)]).toEqual([2, 0]);
  });

  test.each(["", "{}", '{"steps":[{"op":1}]}', "not json"])("a file that is not a plan: %j", (text) => {
    const file = join(folder, "other.json");
    writeFileSync(file, text);
    expect(() => planIn(file, [])).toThrow(/other\.json is not a plan; write it with "pulumi preview --json >/);
  });
});

describe("members of groups", () => {
  const policy = note([allow(["read"], { svcGroups: [204] })]);
  const membership = (users: unknown[]) => resource("GroupMembership", "m", "204", { group: 204, users });
  const group = (members: unknown) => resource("Group", "g", "204", { name: "analysts", members });
  const isSet = { op: "update", oldState: note(everyoneReads), newState: planned(policy) };

  test("a user who joins a group gains what the group has; one who leaves loses it", async () => {
    const [old, now] = [membership([104]), membership([105, "powerless@analytics.example.com"])];
    const state = [note(everyoneReads), old];
    const found = await changes(state, isSet, { op: "update", oldState: old, newState: planned(now) });
    // Everybody could read before, through group 203.
    expect(found.lines.filter((line) => /^10/.test(line))).toEqual(["104 may-lose read on note/501"]);
    const shared = note(everyoneReads);
    const joins = membership(["105"]);
    const other = { ...joins, inputs: { group: "everyone", users: ["105"] } };
    expect((await changes([shared], { op: "create", newState: planned(other) })).lines).toEqual([]);
  });

  test("a group that is managed with its members loses the others; without the list they stay", async () => {
    const state = [note(everyoneReads), group([104])];
    const whole = await changes(state, isSet, { op: "update", oldState: state[1]!, newState: planned(group([103])) });
    expect(whole.lines.filter((line) => /^10/.test(line))).toEqual([
      "104 may-lose read on note/501",
      "105 may-lose read on note/501",
    ]);
    const without = { op: "update", oldState: state[1]!, newState: planned(group(undefined)) };
    const open = await changes(state, isSet, without);
    expect(open.lines.filter((line) => line.startsWith("104"))).toEqual([]);
  });
});

test("with --object, only the plan's changes to that object", async () => {
  const state = [note(everyoneReads)];
  const created = planned(note([allow(["read"], { svcUsers: [104] })], {}, "502"));
  const plan = planOf(
    state,
    { op: "create", newState: { ...created, urn: `${created.urn}2` } },
    { op: "delete", oldState: state[0]! },
  );
  const report = await accessOf(emulator, { state, plan, targets: [objectNamed("note/502")] });
  expect(lines(report.changes)).toEqual(["104 gains read on note/502"]);
});
