import { expect, test } from "vitest";
import { unknownValue } from "../../../provider/core/engine-values";
import { freshEmulator } from "../../harness/emulators";
import { accessOf, allow, grant, lines, planned, planOf, type Step, setNote, verdictsOf } from "./access-sample";
import { encrypted, resource } from "./drift-state";

const emulator = freshEmulator({ extended: true, readings: { userEntry: "manual" } });

/** Note 501: everyone (203) may read. */
const changes = async (state: ReturnType<typeof grant>[], ...steps: Step[]) => {
  const report = await accessOf(emulator, { state, plan: planOf(state, ...steps) }, { extendedApi: "true" });
  return { report, lines: lines(report.changes) };
};

test("several grants on one object, through groups too; an update takes out what was granted before", async () => {
  const old = grant({ user: 104, allow: ["update"] });
  const group = planned(grant({ group: 205, allow: ["manage"] }, "ops"));
  const joined = await changes([], { op: "create", newState: planned(old) }, { op: "create", newState: group });
  expect(joined.lines).toContain("105 gains manage on note/501");
  expect(joined.lines).toContain("104 gains update on note/501");
  await setNote(emulator, [allow(["read"], { svcGroups: [203] }), allow(["update"], { svcUsers: [104] })]);
  const newState = planned(grant({ user: 104, allow: ["delete"] }));
  const changed = await changes([old], { op: "update", oldState: old, newState });
  expect(changed.lines).toEqual(["104 may-lose update on note/501", "104 gains delete on note/501"]);
  const removed = await changes([old], { op: "delete", oldState: old });
  expect(removed.lines).toEqual(["104 may-lose update on note/501"]);
  const kept = await changes([old], { op: "delete", oldState: { ...old, retainOnDelete: true } });
  expect(kept.lines).toEqual([]);
});

test("a folder's grant, merged into the policy that the extended API shows", async () => {
  const inputs = { type: "notes", location: "Common/reports", group: 204, allow: ["write"] };
  const newState = planned(resource("FolderGrant", "f", "notes/Common/reports/group:204", inputs));
  const found = await changes([], { op: "create", newState });
  expect(found.lines).toEqual([
    "104 gains write on notes/Common/reports",
    "members of 204 gains write on notes/Common/reports",
  ]);
});

test("what is not known: a grant of somebody who is known only after up, or into a policy that cannot be read", async () => {
  const created = planned(grant({ group: unknownValue, allow: ["read"] }));
  expect((await changes([], { op: "create", newState: created })).lines).toEqual([
    "note/501: a grant of read to a group that is known only after up",
  ]);
  const newState = planned(grant({ user: 104, allow: ["read"] }));
  const plan = planOf([], { op: "create", newState });
  const report = await accessOf(emulator, { plan }, {}, "powerless");
  expect(lines(report.changes)).toEqual([
    expect.stringMatching(/^note\/501: a grant is merged into the current policy, which is not known: .*403/),
  ]);
});

test("a grant to a group that up creates: which group, and its members where the plan shows them", async () => {
  const group = planned(resource("Group", "late", "", { name: "late", members: ["analyst@analytics.example.com"] }));
  const comes = { group: [group.urn] };
  const joining = planned(
    resource("GroupMembership", "more", "", { group: unknownValue, users: [105] }, { propertyDependencies: comes }),
  );
  const granted = planned(grant({ group: unknownValue, allow: ["manage"] }));
  const denied = planned(grant({ group: unknownValue, deny: [unknownValue] }, "h"));
  const steps = [
    group,
    joining,
    { ...granted, propertyDependencies: comes },
    { ...denied, propertyDependencies: comes },
  ];
  const found = await changes([], ...steps.map((newState) => ({ op: "create", newState })));
  const late = "a group that up creates (Group late, with the members analyst@analytics.example.com, 105)";
  expect(found.lines).toEqual([
    `note/501: a grant of manage to ${late}; a denial of actions that are known only after up to ${late}`,
  ]);
});

test("a grant that the program marks as a secret hides the policy that holds it", async () => {
  const report = await accessOf(emulator, { state: [grant({ user: encrypted(104), allow: ["read"] })] });
  expect(report.objects[0]).toMatchObject({ unknown: expect.stringMatching(/secret/), access: [] });
});

test("a grant that somebody has taken out by hand is noted", async () => {
  const report = await accessOf(emulator, { state: [grant({ user: 104, allow: ["delete"] })] });
  expect(report.objects[0]!.notes).toEqual([
    expect.stringMatching(/is not what the stack declares.*dataplatform drift/),
  ]);
  expect(verdictsOf(report.objects[0]!, 104)["delete"]).toBe("not-said");
});
