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
import * as sample from "./access-sample";
import { encrypted, resource, table } from "./stacks";

const emulator = freshEmulator({ readings: { userEntry: "manual" } });
const folder = testFolder();
const { allow, create, deny, grant, lines, note, remove, update } = sample;

/** Note 501 has this policy on the platform: everyone (203) may read. */
const everyoneReads = [allow(["read"], { svcGroups: [203] })];

async function changes(state: StateResource[], ...steps: sample.Step[]) {
  const report = await sample.planned(emulator, state, steps);
  return { report, lines: lines(report.changes).filter((line) => !/^(?!10[345] )\d/.test(line)) };
}

describe("what a plan changes", () => {
  test("an update: who gains and who loses, and through which group", async () => {
    const before = note(everyoneReads);
    const after = note([allow(["delete"], { svcGroups: [204] }), deny(["read"], { svcUsers: [105] })]);
    const found = await changes([before], update(before, after));
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

  test.each([
    ["restore", { originalPolicy: [allow(["update"], { svcUsers: [105] })] }, ["105 gains update on note/501"]],
    ["clear", {}, []],
    ["keep", { originalPolicy: [allow(["update"], { svcUsers: [105] })] }, undefined],
  ])("a deleted policy with onDestroy %s", async (onDestroy, outputs, gained) => {
    const old = note(everyoneReads, { onDestroy }, "501", outputs);
    const found = await changes([old], remove(old));
    const lost = ["103", "104", "105"].map((user) => `${user} may-lose read on note/501`);
    const members = "members of 203 may-lose read on note/501";
    expect(found.lines.sort()).toEqual(gained ? [...lost, ...gained, members].sort() : []);
  });

  const ours = note(everyoneReads, { onDestroy: "clear" });
  const theirs = note([allow(["all"], { svcUsers: [104] })], {}, "501", { originalPolicy: [] });
  const otherwise = [...everyoneReads, deny(["update"], { svcUsers: [991] })];

  test.each<[string, StateResource, sample.Step[]]>([
    ["nothing is planned", ours, []],
    ["the policy is written in another way", ours, [update(ours, note(otherwise))]],
    ["what is deleted was changed by somebody else", theirs, [remove(theirs)]],
    ["what is deleted is retained", ours, [remove({ ...ours, retainOnDelete: true })]],
    ["it moves to another resource", ours, [create({ ...ours, urn: `${ours.urn}-renamed` }), remove(ours)]],
  ])("no change of access: %s", async (_, old, steps) => {
    const found = await changes([old], ...steps);
    expect(found.lines).toEqual([]);
    expect(exitCode(found.report, true)).toBe(0);
  });

  test("another object: the old one is restored, the new one set", async () => {
    const old = note(everyoneReads, {}, "501", { originalPolicy: [] });
    const made = note(everyoneReads, {}, "502");
    const replaced = { ...update(old, made), op: "replace" };
    const steps = [remove(old, "delete-replaced"), replaced, create(made, "create-replacement")];
    expect((await changes([old], ...steps)).lines.filter((line) => line.startsWith("104"))).toEqual([
      "104 may-lose read on note/501",
      "104 gains read on note/502",
    ]);
  });
});

describe("grants", () => {
  const extended = freshEmulator({ extended: true, readings: { userEntry: "manual" } });
  const changed = async (state: StateResource[], ...steps: sample.Step[]) => {
    const question = { state, plan: sample.planOf(state, ...steps) };
    return lines((await sample.accessOf(extended, question, { extendedApi: "true" })).changes);
  };

  test("several on one object, through groups too; an update takes out what was granted before", async () => {
    const old = grant({ user: 104, allow: ["update"] });
    const joined = await changed([], create(old), create(grant({ group: 205, allow: ["manage"] }, "ops")));
    expect(joined).toContain("105 gains manage on note/501");
    expect(joined).toContain("104 gains update on note/501");
    await sample.setNote(extended, [...everyoneReads, allow(["update"], { svcUsers: [104] })]);
    expect(await changed([old], update(old, grant({ user: 104, allow: ["delete"] })))).toEqual([
      "104 may-lose update on note/501",
      "104 gains delete on note/501",
    ]);
    expect(await changed([old], remove(old))).toEqual(["104 may-lose update on note/501"]);
  });

  test("on a folder, merged into the policy that the extended API shows", async () => {
    const inputs = { type: "notes", location: "Common/reports", group: 204, allow: ["write"] };
    const made = resource("FolderGrant", "f", "notes/Common/reports/group:204", inputs);
    expect(await changed([], create(made))).toEqual([
      "104 gains write on notes/Common/reports",
      "members of 204 gains write on notes/Common/reports",
    ]);
  });
});

describe("what a plan does not tell", () => {
  test("a value that is known only after up, in the policy or as the object", async () => {
    const inPolicy = note([allow(["read"], { svcGroups: [unknownValue] })], {}, "502");
    const found = await changes([], create(inPolicy));
    expect(found.lines).toEqual(["note/502: known only after up"]);
    expect(exitCode(found.report, true)).toBe(2);
    const group = resource("Group", "late", "", { name: "late" });
    const naming = { ...inPolicy, propertyDependencies: { policy: [group.urn], sourceId: null } };
    const named = await changes([], create(group), create(naming));
    expect(named.lines).toEqual(["note/502: known only after up: it names a group that up creates (Group late)"]);
    const { report } = await changes([], create(note(everyoneReads, {}, unknownValue)));
    expect(report.objects).toEqual([]);
    expect(report.notes).toEqual(["ObjectPolicy churn is left out: which one is known only after up"]);
  });

  test("a policy that the program marks as a secret is neither shown nor compared", async () => {
    const before = note(encrypted(everyoneReads));
    const found = await changes([before], update(before, note("[secret]")));
    expect(found.lines).toEqual(["note/501: not shown: the program marks the policy as a secret"]);
    expect(JSON.stringify(found.report)).not.toContain("svcGroups");
  });

  test("who is in a group: nobody may gain what the new policy only denies", async () => {
    // This platform shows groups by name, and policies name them by id.
    await using byName = await emulate();
    const before = note(everyoneReads);
    const readersOnly = [allow(["read"], { svcGroups: [204] }), deny(["all"], { svcGroups: [204] })];
    const setTo = (policy: unknown, from = before) => sample.planned(byName, [from], [update(from, note(policy))]);
    const report = await setTo(readersOnly);
    const [gained, lost] = [/gain/, /lose/].map((verb) => lines(report.changes).filter((line) => verb.test(line)));
    expect(gained).toEqual(["members of 204 gains read on note/501"]);
    expect(lost).toEqual(expect.arrayContaining(["update", "delete"].map((it) => `104 may-lose ${it} on note/501`)));
    const change = report.changes!.find(({ action, users }) => action === "delete" && users.includes(104))!;
    expect(change.after).toMatchObject({ verdict: "unknown", possible: ["not-said", "denied"] });
    const count = report.summary.changes!["may-lose"];
    expect(headline(report)).toBe(`The plan changes access: 1 gained, ${count} possibly lost`);
    expect(table(readable(report))).toContain(`Possibly lost: ${count}\n`);
    const writers = await setTo([allow(["all"], { svcGroups: [204] })]);
    expect(lines(writers.changes)).toContain("104 may-gain update on note/501");
    // What was denied or not said is gained if it is allowed now.
    const denied = [deny(["update"], { svcGroups: [204] })];
    await sample.setNote(byName, denied);
    const allowed = await setTo([allow(["update"], { svcUsers: [104] })], note(denied));
    expect(lines(allowed.changes)).toContain("104 gains update on note/501");
  });

  test("a policy that cannot be read before: what comes after is at most possible", async () => {
    const plan = sample.planOf([], create(note([allow(["read"], { svcUsers: [104] })], {}, "502")));
    const report = await sample.accessOf(emulator, { plan }, {}, "powerless");
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
  const isSet = update(note(everyoneReads), policy);

  test("a user who joins a group gains what the group has; one who leaves loses it", async () => {
    const [old, now] = [membership([104]), membership([105, "powerless@analytics.example.com"])];
    const state = [note(everyoneReads), old];
    const found = await changes(state, isSet, update(old, now));
    // Everybody could read before, through group 203.
    expect(found.lines.filter((line) => /^10/.test(line))).toEqual(["104 may-lose read on note/501"]);
    const joins = { ...membership([]), inputs: { group: "everyone", users: ["105"] } };
    expect((await changes([note(everyoneReads)], create(joins))).lines).toEqual([]);
  });

  test("a group that is managed with its members loses the others; without the list they stay", async () => {
    const old = group([104]);
    const state = [note(everyoneReads), old];
    const whole = await changes(state, isSet, update(old, group([103])));
    const lost = ["104", "105"].map((user) => `${user} may-lose read on note/501`);
    expect(whole.lines.filter((line) => /^10/.test(line))).toEqual(lost);
    const open = await changes(state, isSet, update(old, group(undefined)));
    expect(open.lines.filter((line) => line.startsWith("104"))).toEqual([]);
  });
});

test("with --object, only the plan's changes to that object", async () => {
  const old = note(everyoneReads);
  const state = [old];
  const made = note([allow(["read"], { svcUsers: [104] })], {}, "502");
  const steps = [create({ ...made, urn: `${made.urn}2` }), remove(old)];
  const report = await sample.planned(emulator, state, steps, { targets: [objectNamed("note/502")] });
  expect(lines(report.changes)).toEqual(["104 gains read on note/502"]);
});
