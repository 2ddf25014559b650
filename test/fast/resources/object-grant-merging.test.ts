import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import type { Readings } from "../../../emulator/readings";
import { objectGrant } from "../../../provider/resources/object-grant";
import { freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { inProcess, partOf } from "../../harness/in-process";

/** The policy of note 501 in the seed. */
const found = { access: "allow", action: ["read"], condition: { svc_groups: [203] } };
const args = { sourceType: "note", sourceId: "501", user: 104, allow: ["read", "update"] };
const ours = { access: "allow", action: ["read", "update"], condition: { svc_users: [104] } };
const setPolicy = (emulator: Emulator, policy: unknown, sourceId = "501"): Promise<void> =>
  request(emulator, "PUT", "/api/v1.2/object_policy/policy", {
    source_id: sourceId,
    source_type: "note",
    policy: JSON.stringify(policy),
  });

describe("ObjectGrant against the emulator", () => {
  const emulator = freshEmulator();
  const start = (options?: Parameters<typeof inProcess>[2]) => inProcess(objectGrant, emulator, options);
  const note = (noteId = 501): unknown =>
    emulator
      .state({ secrets: true })
      .accounts.find(({ id }) => id === 1001)!
      .objects.find(({ id }) => id === noteId)!.policy;
  const count = (operation: string): number => emulator.requests().counts[operation] ?? 0;

  const readings: Partial<Readings>[] = [
    ...(["wrapped", "wrapped-text", "policy-only", "array", "text"] as const).map((policyView) => ({ policyView })),
    { policyIdLists: "filled" },
    { policyFields: "kept" },
    { policyFields: "added" },
    { idType: "text-everywhere" },
    { refusalStatus: "200" },
    { refusalStatus: "200", policyFields: "added", policyIdLists: "filled" },
  ];
  test.each(readings)("%j: set, read without drift, changed, imported and taken out", async (reading) => {
    emulator.setReadings(reading);
    const { life: its, said } = start();
    const { id, state } = await its.create(args);
    expect(note()).toMatchObject([found, ours]);
    await expect(start().life.read(id, state)).resolves.toEqual({ id, state });
    const imported = await start().life.read(id, {});
    expect(imported?.state).toMatchObject({ ...args, namedBefore: false });
    const changed = await its.update(id, state, { ...args, allow: ["read"], deny: ["manage"] });
    await expect(start().life.read(id, changed.state)).resolves.toEqual(changed);
    await its.delete(id, changed.state);
    expect(note()).toMatchObject([found]);
    expect(said.warnings).toEqual([]);
  });

  test.each(["usual", "array", "object", "null", "empty", "404"] as const)(
    "an object without a policy, shown as %s, has none again after destroy",
    async (policyMissing) => {
      emulator.setReadings({ policyMissing });
      const { life: its, said } = start();
      const { id, state } = await its.create({ ...args, sourceId: "502" });
      expect(note(502)).toEqual([ours]);
      await its.delete(id, state);
      expect(note(502)).toEqual([]);
      const refreshed = await start().life.read(id, state);
      expect(refreshed?.state["allow"] ?? []).toEqual([]);
      await its.delete(id, state);
      expect(said.warnings).toEqual([]);
    },
  );

  test("unknown fields of others are kept, of elements and of conditions", async () => {
    emulator.setReadings({ policyFields: "kept" });
    const theirs = [
      { access: "allow", action: ["read"], note: "x", condition: { svc_groups: [203], svc_roles: ["a"] } },
      { access: "deny", until: 7 },
    ];
    await setPolicy(emulator, theirs);
    const { life: its } = start();
    const { id, state } = await its.create(args);
    expect(note()).toEqual([theirs[0], ours, theirs[1]]);
    await its.delete(id, state);
    expect(note()).toEqual(theirs);
  });

  test("a grant that is there already is taken over, and nothing is written", async () => {
    await setPolicy(emulator, [found, { ...ours, action: ["update", "read"] }]);
    emulator.clearRequests();
    const { life: its } = start();
    const { id, state } = await its.create(args);
    expect(count("objectPolicy.set")).toBe(0);
    await its.delete(id, state);
    expect(note()).toEqual([found]);
  });

  test("another grant of the same principal is an error that says what to do, at preview too; adopt takes it over", async () => {
    const other = { access: "allow", action: ["delete"], condition: { svc_users: [104] } };
    await setPolicy(emulator, [other, found]);
    const { life: its } = start();
    const refusal =
      /already says about user 104: allow delete\. The program says: allow read, update\. .*alias.* import the grant, or set adopt to true\. Nothing was changed/;
    await expect(its.foresee(undefined, args)).rejects.toThrow(refusal);
    await expect(its.create(args)).rejects.toThrow(refusal);
    expect(note()).toEqual([other, found]);
    await its.create({ ...args, adopt: true });
    expect(note()).toEqual([found, ours]);
  });

  test("refresh shows what was added, also in a list that the program does not set; up takes it away", async () => {
    const { life: its } = start();
    const { id, state } = await its.create(args);
    await setPolicy(emulator, [found, ours, { access: "deny", action: ["manage"], condition: { svc_users: [104] } }]);
    const drifted = await start().life.read(id, state);
    expect(drifted?.state).toMatchObject({ allow: ["read", "update"], deny: ["manage"] });
    expect(its.diff(id, drifted!.state, args).changed).toEqual(["deny"]);
    await its.update(id, drifted!.state, args);
    expect(note()).toEqual([found, ours]);
  });

  test("what somebody has added since stays at destroy, with a warning", async () => {
    const { life: its, said } = start();
    const { id, state } = await its.create(args);
    await setPolicy(emulator, [found, { ...ours, action: ["read", "update", "manage"] }]);
    await its.delete(id, state);
    expect(note()).toEqual([found, { ...ours, action: ["manage"] }]);
    expect(said.warnings).toEqual([
      "ObjectGrant: the policy of note/501 still says about user 104: allow manage. That is not part of this grant, so it stays",
    ]);
  });

  test("a platform that merges elements and appends a deny-all: there, and taken out alone", async () => {
    const { life: its, said } = start();
    const { id, state } = await its.create({ ...args, sourceId: "502" });
    const merged = { ...ours, condition: { svc_users: [106, 104] } };
    await setPolicy(
      emulator,
      [merged, { access: "deny", action: ["all"], condition: { svc_users: [104, 106] } }],
      "502",
    );
    await expect(start().life.read(id, state)).resolves.toEqual({ id, state });
    await its.delete(id, state);
    expect(note(502)).toEqual([
      { ...ours, condition: { svc_users: [106] } },
      { access: "deny", action: ["all"], condition: { svc_users: [106] } },
    ]);
    expect(said.warnings).toEqual([]);
  });

  test("an element that named the principal before is left alone, and a contradiction is a warning", async () => {
    const shared = { access: "deny", action: ["update"], condition: { svc_users: [104, 106] } };
    await setPolicy(emulator, [shared]);
    const { life: its, said } = start();
    const { id, state } = await its.create(args);
    expect(state["namedBefore"]).toBe(true);
    expect(note()).toEqual([ours, shared]);
    expect(said.warnings).toEqual([expect.stringContaining("contradicts this grant: element 1 names user 104")]);
    await its.delete(id, state);
    expect(note()).toEqual([shared]);
    expect(said.warnings[1]).toContain("still names user 104 together with others");
  });

  test("a token that may not view: an error on create and delete that says why, and refresh keeps the state", async () => {
    const { id, state } = await start().life.create(args);
    emulator.setFaults({ rules: [{ operation: "objectPolicy.view", kind: "respond", status: 403 }] });
    const { life: its, said } = start();
    await expect(its.create({ ...args, user: 106 })).rejects.toThrow("the token must be allowed to view it");
    await expect(its.delete(id, state)).rejects.toThrow("the token must be allowed to view it");
    await expect(its.read(id, state)).resolves.toEqual({ id, state });
    expect(said.warnings).toEqual([expect.stringContaining("cannot check the grant note/501/user:104")]);
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

  test.each(["note/501", "note/501/104", "page/501/user:104", "note/501/user:", "environment/401/user:104"])(
    "%s is not an import id",
    async (id) => {
      await expect(start().life.read(id, {})).rejects.toThrow("such as note/501/user:104");
    },
  );

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

  test("lost answers: what was done is found, and what stays open is kept and repeated", async () => {
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "reset-after", times: 3 }] });
    await expect(start({ retries: 2 }).life.create(args)).resolves.toMatchObject({ id: "note/501/user:104" });
    emulator.reset();
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "reset-before", times: 3 }] });
    const { life: its } = start({ retries: 2 });
    const { id, state } = await partOf(its.create(args));
    expect(state).toMatchObject({ ...args, namedBefore: false });
    expect(note()).toEqual([found]);
    const { state: after } = await its.update(id, state, args);
    expect(note()).toEqual([found, ours]);
    await its.delete(id, after);
    expect(note()).toEqual([found]);
  });

  test("a write that cannot be checked is kept", async () => {
    emulator.setFaults({ rules: [{ operation: "objectPolicy.view", kind: "respond", status: 403, nth: 2 }] });
    const { life: its } = start();
    const { id, state } = await partOf(its.create(args));
    expect(note()).toEqual([found, ours]);
    await its.delete(id, state);
    expect(note()).toEqual([found]);
  });

  test("many grants on one object share the requests, and so do refresh and destroy", async () => {
    const { life: its } = start();
    const users = Array.from({ length: 20 }, (_, index) => 1000 + index);
    emulator.clearRequests();
    const made = await Promise.all(users.map((user) => its.create({ ...args, user })));
    expect(count("objectPolicy.set")).toBe(1);
    expect(count("objectPolicy.view")).toBe(2);
    expect(note()).toHaveLength(21);
    emulator.clearRequests();
    await Promise.all(made.map(({ id, state }) => its.read(id, state)));
    expect(count("objectPolicy.view")).toBe(1);
    await Promise.all(made.map(({ id, state }) => its.delete(id, state)));
    expect(count("objectPolicy.set")).toBeLessThanOrEqual(2);
    expect(note()).toEqual([found]);
  });

  test("a grant that the platform refuses does not take others along", async () => {
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "respond", status: 422, nth: [1, 2] }] });
    const { life: its } = start();
    const results = await Promise.allSettled([104, 106].map((user) => its.create({ ...args, user })));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(note()).toEqual([found, { ...ours, condition: { svc_users: [106] } }]);
  });

  test("a policy that must not become empty: the error says what to do", async () => {
    const { life: its } = start();
    const { id, state } = await its.create({ ...args, sourceId: "502" });
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "respond", status: 422 }] });
    await expect(its.delete(id, state)).rejects.toThrow('"pulumi state delete"');
  });
});
