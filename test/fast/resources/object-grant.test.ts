import { expect, test } from "vitest";
import { objectGrant } from "../../../provider/resources/object-grant";
import { args, found, ours, policyOf, setPolicy } from "../../cases/object-grant";
import { answers, freshEmulator, refusal } from "../../harness/emulators";
import { createdBy, inOneRun, inProcess } from "../../harness/in-process";

const emulator = freshEmulator();
const start = (options?: Parameters<typeof inProcess>[2]) => inProcess(objectGrant, emulator, options);
const note = (noteId = 501): unknown => policyOf(emulator.state({ secrets: true }), noteId);
const count = (operation: string): number => emulator.requests().counts[operation] ?? 0;

test("unknown fields of others are kept, of elements and of conditions", async () => {
  emulator.setReadings({ policyFields: "kept" });
  const theirs = [
    { access: "allow", action: ["read"], note: "x", condition: { svc_groups: [203], svc_roles: ["a"] } },
    { access: "deny", until: 7 },
  ];
  await setPolicy(emulator, theirs);
  const { life: its, id, state } = await createdBy(start(), args);
  expect(note()).toEqual([theirs[0], ours, theirs[1]]);
  await its.delete(id, state);
  expect(note()).toEqual(theirs);
});

test("a grant that is there already is taken over, and nothing is written", async () => {
  await setPolicy(emulator, [found, { ...ours, action: ["update", "read"] }]);
  emulator.clearRequests();
  const { life: its, id, state } = await createdBy(start(), args);
  expect(count("objectPolicy.set")).toBe(0);
  await its.delete(id, state);
  expect(note()).toEqual([found]);
});

test("another grant of the same principal is an error that says what to do, foreseen at preview; adopt takes it over", async () => {
  const other = { access: "allow", action: ["delete"], condition: { svc_users: [104] } };
  await setPolicy(emulator, [other, found]);
  const { life: its, said } = start();
  const refusal =
    /already says about user 104: allow delete\. The program says: allow read, update\. .*alias.* import the grant, or set adopt to true\. Nothing was changed/;
  await its.foresee(undefined, args);
  expect(said.warnings.join()).toMatch(refusal);
  await expect(its.create(args)).rejects.toThrow(refusal);
  expect(note()).toEqual([other, found]);
  await its.create({ ...args, adopt: true });
  expect(note()).toEqual([found, ours]);
});

test("what the platform refuses is not sent again, although the grant is the stack's own", async () => {
  const { state } = await start().life.create(args);
  const { life: its } = inOneRun(emulator)(objectGrant);
  its.diff(state, args);
  answers(emulator, "objectPolicy.set", 409, refusal("frozen", 409));
  emulator.clearRequests();
  await expect(its.create({ ...args, allow: ["delete"] })).rejects.toThrow("frozen");
  expect(emulator.requests().counts["objectPolicy.set"]).toBe(1);
});

test("refresh shows what was added, also in a list that the program does not set; up takes it away", async () => {
  const { life: its, id, state } = await createdBy(start(), args);
  await setPolicy(emulator, [found, ours, { access: "deny", action: ["manage"], condition: { svc_users: [104] } }]);
  const drifted = await start().life.read(id, state);
  expect(drifted?.state).toMatchObject({ allow: ["read", "update"], deny: ["manage"] });
  expect(its.diff(drifted!.state, args).changed).toEqual(["deny"]);
  await its.update(id, drifted!.state, args);
  expect(note()).toEqual([found, ours]);
});

test("what somebody has added since stays at destroy, with a warning", async () => {
  const { life: its, said, id, state } = await createdBy(start(), args);
  await setPolicy(emulator, [found, { ...ours, action: ["read", "update", "manage"] }]);
  await its.delete(id, state);
  expect(note()).toEqual([found, { ...ours, action: ["manage"] }]);
  expect(said.warnings).toEqual([
    "ObjectGrant: the policy of note/501 still says about user 104: allow manage. That is not part of this grant, so it stays",
  ]);
});

test("a platform that merges elements: another resource takes over what the stack has put there, or says that it stays", async () => {
  const merged = { ...ours, condition: { svc_users: [106, 104] } };
  const first = await start().life.create(args);
  await setPolicy(emulator, [merged]);
  // Renamed without an alias.
  const renamed = start();
  await renamed.life.create(args);
  expect(renamed.said.warnings).toEqual([
    expect.stringMatching(/said this about user 104 already, together with others: destroy will leave that\. .*alias/),
  ]);
  // Given up by a resource that stays in the program.
  const of = inOneRun(emulator);
  const { life } = of(objectGrant);
  life.diff(first.state, { ...args, user: 106 });
  const { id, state } = await life.create(args);
  expect(state["namedBefore"]).toBe(false);
  await start().life.delete(id, state);
  expect(note()).toEqual([{ ...ours, condition: { svc_users: [106] } }]);
});

test("an element that named the principal before is left alone, and a contradiction is a warning", async () => {
  const shared = { access: "deny", action: ["update"], condition: { svc_users: [104, 106] } };
  await setPolicy(emulator, [shared]);
  const { life: its, said, id, state } = await createdBy(start(), args);
  expect(state["namedBefore"]).toBe(true);
  expect(note()).toEqual([ours, shared]);
  expect(said.warnings).toEqual([expect.stringContaining("contradicts this grant: element 1 names user 104")]);
  await its.delete(id, state);
  expect(note()).toEqual([shared]);
  expect(said.warnings[1]).toContain("still names user 104 together with others");
});

/** It ends a policy of the user interface, or somebody has added it. */
const denyAll = { access: "deny", action: ["all"], condition: { svc_users: [104] } };

test("a closing deny-all that was there before stays as it is when the grant is changed, and when it is removed", async () => {
  await setPolicy(emulator, [{ ...ours, action: ["read"] }, denyAll]);
  const given = { ...args, deny: ["delete"], adopt: true };
  const { life: its, said, id, state } = await createdBy(start(), given);
  const changed = await its.update(id, state, { ...given, allow: ["read"] });
  expect(note()).toEqual([{ ...ours, action: ["read"] }, { ...denyAll, action: ["delete"] }, denyAll]);
  emulator.clearRequests();
  await its.delete(id, changed.state);
  expect([note(), count("objectPolicy.set")]).toEqual([[denyAll], 1]);
  expect(said.warnings.slice(-1)).toEqual([
    expect.stringContaining("still says about user 104: deny all. That is not"),
  ]);
});

test("a closing deny-all that came later stays at an update, goes with the grant, and a warning shows it", async () => {
  const { life: its, said, id, state } = await createdBy(start(), args);
  await setPolicy(emulator, [ours, denyAll, found]);
  const given = { ...args, allow: ["read"] };
  const changed = await its.update(id, state, given);
  expect(note()).toEqual([{ ...ours, action: ["read"] }, denyAll, found]);
  expect(said.warnings).toEqual([]);
  await its.delete(id, changed.state);
  expect(note()).toEqual([found]);
  expect(said.warnings).toEqual([
    'ObjectGrant: the policy of note/501 denied user 104 everything else, which was taken out with the grant: [{"access":"deny","action":["all"],"condition":{"svcUsers":[104]}}]. If somebody has added that on purpose, add it again',
  ]);
});

test("a token that may not view: an error on create and delete that says why, and refresh keeps the state", async () => {
  const { id, state } = await start().life.create(args);
  emulator.setFaults({ rules: [{ operation: "objectPolicy.view", kind: "respond", status: 403 }] });
  const { life: its, said } = start();
  await expect(its.create({ ...args, user: 106 })).rejects.toThrow("the token must be allowed to view it");
  await expect(its.delete(id, state)).rejects.toThrow("the token must be allowed to view it");
  await expect(its.read(id, state)).resolves.toEqual({ id, state });
  expect(said.warnings).toEqual([expect.stringContaining("cannot check note/501/user:104")]);
  await expect(its.read(id, {})).rejects.toThrow("view");
  emulator.setFaults({ rules: [] });
  expect(note()).toEqual([found, ours]);
});

test("an object that is gone: create fails, refresh drops it, destroy does nothing", async () => {
  const { life: its, said } = start();
  const gone = { ...args, sourceId: "599" };
  await expect(its.create(gone)).rejects.toThrow("there is no note 599");
  await expect(its.read("note/599/user:104", gone)).resolves.toBeUndefined();
  await its.delete("note/599/user:104", gone);
  expect(said.warnings).toEqual([]);
});

test("an import of a principal that no element names alone says why it finds nothing", async () => {
  await expect(start().life.read("note/501/user:104", {})).rejects.toThrow(
    'there is nothing to import: the policy of note/501 says nothing about user 104; declare the grant and run "pulumi up"',
  );
  const shared = { access: "allow", action: ["read"], condition: { svc_users: [104, 105] } };
  await setPolicy(emulator, [found, shared]);
  await expect(start().life.read("note/501/user:104", {})).rejects.toThrow(
    "the policy of note/501 names user 104 only together with others, which a grant leaves alone",
  );
  await expect(start().life.read("note/999/user:104", {})).rejects.toThrow(/note\/999/);
  await expect(start().life.read("note/501/group:203", {})).resolves.toMatchObject({
    state: { sourceType: "note", sourceId: "501", group: 203, allow: ["read"] },
  });
});

test("a grant that the platform refuses does not take others along", async () => {
  emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "respond", status: 422, nth: [1, 2] }] });
  const { life: its } = start();
  const results = await Promise.allSettled([104, 106].map((user) => its.create({ ...args, user })));
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  expect(note()).toEqual([found, { ...ours, condition: { svc_users: [106] } }]);
});

test("a policy that must not become empty: the error says what to do", async () => {
  const { life: its, id, state } = await createdBy(start(), { ...args, sourceId: "502" });
  answers(emulator, "objectPolicy.set", 422);
  await expect(its.delete(id, state)).rejects.toThrow('"pulumi state delete"');
});
