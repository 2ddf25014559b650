import { describe, expect, test } from "vitest";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { policyOf, setPolicy } from "../../cases/object-grant";
import { args, closed, found, onWire, policy } from "../../cases/object-policy";
import { freshEmulator, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { inProcess, partOf } from "../../harness/in-process";

describe("ObjectPolicy against the emulator", () => {
  const emulator = freshEmulator();
  const life = (options?: Parameters<typeof inProcess>[2]) => inProcess(objectPolicy, emulator, options).life;
  const note501 = (): unknown => policyOf(emulator.state({ secrets: true }));

  test("remembers the policy it found and restores exactly that, whatever changed since", async () => {
    const made = await life().create(args);
    expect(made.state["originalPolicy"]).toEqual([
      { access: "allow", action: ["read"], condition: { svcGroups: [203] } },
    ]);
    const { state } = await life().update(made.id, made.state, { ...args, policy: closed });
    await life().delete(made.id, state);
    expect(note501()).toEqual(found);
  });

  test("destroy keeps a policy that somebody else has set since, with a warning", async () => {
    const { id, state } = await life().create(args);
    const theirs = [{ access: "deny", action: ["all"], condition: { svc_users: [105] } }];
    await setPolicy(emulator, theirs);
    const { life: destroying, said } = inProcess(objectPolicy, emulator);
    await destroying.delete(id, state);
    expect(note501()).toEqual(theirs);
    expect(said.warnings.join()).toContain("somebody else has changed it since");
  });

  test("the policy is only viewed if destroy must restore it", async () => {
    for (const onDestroy of ["clear", "keep"]) {
      emulator.clearRequests();
      const { id, state } = await life().create({ ...args, onDestroy });
      await life().delete(id, state);
      expect(emulator.requests().counts["objectPolicy.view"]).toBeUndefined();
    }
    emulator.setFaults({ rules: [{ operation: "objectPolicy.view", kind: "respond", status: 403 }] });
    await expect(life().create(args)).rejects.toThrow(/to do without, set onDestroy to "clear" or "keep"/);
    const { id, state } = await life().create({ ...args, onDestroy: "keep" });
    const { life: refreshing, said } = inProcess(objectPolicy, emulator);
    await expect(refreshing.read(id, state)).resolves.toEqual({ id, state });
    expect(said.warnings.join()).toContain("so its state is kept");
  });

  test("warns that an identical policy counts as the one found", async () => {
    await setPolicy(emulator, onWire);
    const { life: creating, said } = inProcess(objectPolicy, emulator);
    await creating.create(args);
    expect(said.warnings.join()).toContain("already has this policy");
  });

  test("a policy returned as text, in another order, is not drift", async () => {
    const { id, state } = await life().create(args);
    await request(emulator, "POST", "/_emulator/settings", { viewPolicyAs: "string" });
    await setPolicy(emulator, [
      { condition: { svc_groups: [204], svc_users: [104, 102] }, action: ["update", "read"], access: "allow" },
      onWire[1],
    ]);
    expect((await life().read(id, state))?.state).toEqual(state);
  });

  test("a missing object: refresh drops the policy, destroy has nothing to restore", async () => {
    const { id, state } = await life().create(args);
    await request(emulator, "DELETE", "/_emulator/state/objects/note.501");
    expect(await life().read(id, state)).toBeUndefined();
    await life().delete(id, state);
  });

  test("an unexpected answer is an error, never a missing policy", async () => {
    const { id, state } = await life().create(args);
    for (const body of [{ owner: 1 }, { policy: "nothing" }, { policy: [{ access: 1 }] }, "<html>"]) {
      emulator.setFaults({ rules: [{ operation: "objectPolicy.view", kind: "respond", status: 200, body }] });
      await expect(life().read(id, state)).rejects.toMatchObject({ code: "bad-answer" });
      await expect(life().create(args)).rejects.toMatchObject({ code: "bad-answer" });
    }
    expect(note501(), "nothing was overwritten").toEqual(onWire);
  });

  test("an unknown outcome keeps the policy found, and the next up continues from there", async () => {
    emulator.setFaults({ rules: [{ operation: "objectPolicy.set", kind: "reset-after" }] });
    const { id, state } = await partOf(life({ retries: 0 }).create(args));
    emulator.clearFaults();
    const repaired = await life().update(id, state, args);
    await life().delete(id, repaired.state);
    expect(note501()).toEqual(found);
  });

  test("import finds the policy, and counts it as the original", async () => {
    await setPolicy(emulator, onWire);
    expect((await life().read("note/501", {}))?.state).toEqual({ ...args, originalPolicy: policy, accountId: 1001 });
  });

  test.each(["501", "note", "note/", "environment/401", "note/ 5", ""])("import by %j is rejected", async (id) => {
    await expect(life().read(id, {})).rejects.toThrow("expected sourceType/sourceId, such as note/501");
  });
});

const emulator = freshEmulator({ extended: true });
const on = () => inProcess(objectPolicy, emulator, { extended: true }).life;

test("an environment's policy, without the extended API: refresh reads it, destroy leaves it with a warning and sends nothing", async () => {
  const { id, state } = await on().create({ sourceType: "environment", sourceId: "401", policy: closed });
  const { life, said } = inProcess(objectPolicy, emulator);
  await expect(life.read(id, state)).resolves.toEqual({ id, state });
  emulator.clearRequests();
  await life.delete(id, state);
  expect(writesTo(emulator)).toEqual([]);
  expect(said.warnings).toEqual([expect.stringContaining("the policy of environment/401 stays on the platform")]);
  await on().delete(id, state);
  expect(policyOf(emulator.state(), 401)).toEqual([]);
});
