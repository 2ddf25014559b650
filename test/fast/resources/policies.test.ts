import { beforeEach, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { folderPolicy } from "../../../provider/resources/folder-policy";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { renameFolder } from "../../cases/folder";
import * as onFolders from "../../cases/folder-grant";
import * as folders from "../../cases/folder-policy";
import * as onObjects from "../../cases/object-grant";
import * as objects from "../../cases/object-policy";
import { answers, freshEmulator, ownEmulator, refusal, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inProcess, partOf } from "../../harness/in-process";

/** Policies that one resource manages as a whole, of objects and of folders. */
const kinds = [
  {
    definition: objectPolicy,
    ...objects,
    ...{ policyOf: onObjects.policyOf, setPolicy: onObjects.setPolicy },
    id: "note/501",
    earlier: objects.found,
    group: 203,
    operations: ["objectPolicy.view", "objectPolicy.set"],
    usual: ["clear", "keep"],
    inOtherWords: [
      { condition: { svc_groups: [204], svc_users: [104, 102] }, action: ["update", "read"], access: "allow" },
      { ...objects.onWire[1], action: ["delete", "read", "update"] },
    ],
    disappear: (emulator: Emulator) => request(emulator, "DELETE", "/_emulator/state/objects/note.501"),
    goneSays: [],
  },
  {
    definition: folderPolicy,
    ...folders,
    ...{ policyOf: onFolders.policyOf, setPolicy: onFolders.setPolicy },
    policy: [...folders.policy, { access: "deny", action: ["all"] }],
    onWire: [...folders.onWire, { access: "deny", action: ["all"] }],
    id: "notes/Common/reports",
    group: 204,
    operations: ["folders.viewPolicy", "folders.policy"],
    usual: ["clear", "keep", "set"],
    inOtherWords: [{ access: "deny", action: ["write", "read"] }, ...folders.onWire],
    disappear: (emulator: Emulator) => renameFolder(emulator, "Common/reports", "renamed"),
    goneSays: [expect.stringContaining("folder notes/Common/reports no longer exists, or somebody")],
  },
];
describe.each(kinds)("$definition.type", ({ definition, id, policy, onWire, earlier, operations, ...its }) => {
  const emulator = freshEmulator({ extended: true });
  beforeEach(() => its.setPolicy(emulator, earlier));
  const isFolder = definition === folderPolicy;
  const start = (options = {}) => inProcess(definition, emulator, { extended: isFolder, ...options });
  const found = (of?: number) => its.policyOf(emulator.state({ secrets: true }), of);
  const args = { ...its.args, policy };
  const restoring = { ...args, onDestroy: "restore" };
  const others = [{ access: "deny", action: ["read"] }];

  test("a platform that writes out all fields shows no drift but that of others, and gets the original back", async () => {
    emulator.setReadings({ policyIdLists: "filled", policyFields: "added" });
    const { life, said, state, ...made } = await createdBy(start(), restoring);
    expect(made.id).toBe(id);
    const original = [{ access: "allow", action: ["read"], condition: { svcGroups: [its.group] } }];
    expect(state["originalPolicy"]).toMatchObject(original);
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    await its.setPolicy(emulator, others);
    const drifted = await life.read(id, state);
    expect(drifted?.state["policy"]).toMatchObject(others);
    await life.delete(id, drifted!.state);
    expect(found()).toMatchObject(earlier);
    expect(said.warnings).toEqual([]);
  });

  test("the platform may show it in other words, and what was found is restored exactly after a change", async () => {
    const { life, state } = await createdBy(start(), restoring);
    await its.setPolicy(emulator, its.inOtherWords);
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    const changed = await life.update(id, state, { ...restoring, policy: [{ access: "deny" }] });
    await life.delete(id, changed.state);
    expect(found()).toEqual(earlier);
  });

  test("a change of what destroy does sends nothing, since others may have added to the policy", async () => {
    const { life, state } = await createdBy(start(), restoring);
    await its.setPolicy(emulator, others);
    await life.update(id, state, { ...args, onDestroy: "keep" });
    expect(found()).toEqual(others);
    await life.update(id, { ...state, __open: true }, restoring);
    expect(found()).toEqual(onWire);
  });

  test("destroy keeps what somebody else has set since, with a warning", async () => {
    const { life, said, state } = await createdBy(start(), restoring);
    await its.setPolicy(emulator, others);
    await life.delete(id, state);
    expect(found()).toEqual(others);
    expect(said.warnings).toEqual([expect.stringContaining("somebody else has changed it since")]);
  });

  test("an identical one counts as the one found: preview, create and destroy warn", async () => {
    const { life, said } = start();
    await life.foresee(undefined, restoring);
    await its.setPolicy(emulator, onWire);
    await life.foresee(undefined, { ...restoring, onDestroy: "keep" });
    await life.foresee(undefined, { ...restoring, policy: [] });
    expect(said.warnings).toEqual([]);
    await life.foresee(undefined, restoring);
    const { state } = await life.create(restoring);
    await life.delete(id, state);
    expect(found()).toEqual(onWire);
    expect(said.warnings).toEqual([
      expect.stringMatching(/already has this policy. If this resource was renamed .* destroy leaves this one$/),
      expect.stringContaining("already has this policy"),
      expect.stringContaining("keeps its policy: it was there when"),
    ]);
  });

  test("it is only viewed if destroy must restore it", async () => {
    for (const onDestroy of its.usual) {
      emulator.clearRequests();
      const destroyPolicy = onDestroy === "set" ? others : undefined;
      const { life, state } = await createdBy(start(), { ...args, onDestroy, destroyPolicy });
      await life.delete(id, state);
      expect(found()).toEqual({ clear: [], keep: onWire, set: others }[onDestroy]);
      expect(emulator.requests().counts[operations[0]!]).toBeUndefined();
    }
    emulator.setFaults({ rules: [{ operation: operations[0]!, kind: "respond", status: 403 }] });
    await expect(start().life.create(restoring)).rejects.toThrow(/to do without, set onDestroy to/);
    const { life, said, state } = await createdBy(start(), { ...args, onDestroy: "keep" });
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    expect(said.warnings.join()).toContain("so its state is kept");
  });

  test("one that is gone: refresh drops it, destroy has nothing to restore", async () => {
    const { life, said, state } = await createdBy(start(), restoring);
    await its.disappear(emulator);
    await expect(life.read(id, state)).resolves.toBeUndefined();
    expect(said.warnings).toEqual([]);
    await life.delete(id, state);
    expect(said.warnings).toEqual(its.goneSays);
  });

  test("an unexpected answer is an error, never a missing policy", async () => {
    const { state } = await start().life.create(restoring);
    for (const body of [{ owner: 1 }, { policy: "nothing" }, { policy: [{ access: 1 }] }, "<html>"]) {
      emulator.setFaults({ rules: [{ operation: operations[0]!, kind: "respond", status: 200, body }] });
      await expect(start().life.read(id, state)).rejects.toMatchObject({ code: "bad-answer" });
      await expect(start().life.create(restoring)).rejects.toMatchObject({ code: "bad-answer" });
    }
    expect(found(), "nothing was overwritten").toEqual(onWire);
  });

  test("an unknown outcome keeps the one found, and the next up continues from there", async () => {
    emulator.setFaults({ rules: [{ operation: operations[1]!, kind: "reset-after" }] });
    const { state } = await partOf(start({ retries: 0 }).life.create(restoring));
    emulator.clearFaults();
    const repaired = await start().life.update(id, state, restoring);
    await start().life.delete(id, repaired.state);
    expect(found()).toEqual(earlier);
  });

  test("an import finds it, and counts it as the original", async () => {
    await its.setPolicy(emulator, onWire);
    expect((await start().life.read(id, {}))?.state).toEqual({ ...args, originalPolicy: policy, accountId: 1001 });
  });
});

const emulator = freshEmulator({ extended: true });

test("an environment's, without the extended API: refresh reads it, destroy leaves it with a warning and sends nothing", async () => {
  const { life: on } = inProcess(objectPolicy, emulator, { extended: true });
  const { id, state } = await on.create({ sourceType: "environment", sourceId: "401", policy: objects.closed });
  const { life, said } = inProcess(objectPolicy, emulator);
  await expect(life.read(id, state)).resolves.toEqual({ id, state });
  emulator.clearRequests();
  await life.delete(id, state);
  expect(writesTo(emulator)).toEqual([]);
  expect(said.warnings).toEqual([expect.stringContaining("the policy of environment/401 stays on the platform")]);
  await on.delete(id, state);
  expect(onObjects.policyOf(emulator.state(), 401)).toEqual([]);
});

test("a folder's, turned off and on again: nothing changes, and destroy restores only while it is on", async () => {
  const reports = (): unknown => onFolders.policyOf(emulator.state({ secrets: true }));
  await onFolders.setPolicy(emulator, folders.earlier);
  const on = () => inProcess(folderPolicy, emulator, { extended: true });
  const { id, state } = await on().life.create({ ...folders.args, onDestroy: "restore" });
  const off = inProcess(folderPolicy, emulator);
  emulator.clearRequests();
  await expect(off.life.read(id, state)).resolves.toMatchObject({ state });
  await off.life.delete(id, state);
  expect(emulator.requests().requests.map(({ operation }) => operation)).not.toContain("folders.viewPolicy");
  expect(reports()).toEqual(folders.onWire);
  expect(off.said.warnings).toEqual([expect.stringContaining("restoring the original one needs the extended API")]);
  await on().life.delete(id, state);
  expect(reports()).toEqual(folders.earlier);
});

test("a folder's, where the installation cannot view it: refresh keeps the state, and restore is an error before anything is sent", async () => {
  const half = await ownEmulator();
  const args = { ...folders.args, name: "reports" };
  const { life, said, id, state } = await createdBy(inProcess(folderPolicy, half, { extended: true }), args);
  const sent = half.requests().requests.find(({ method }) => method === "PUT");
  expect(sent?.body).toMatchObject({ name: "reports" });
  for (const _ of [1, 2]) await expect(life.read(id, state)).resolves.toEqual({ id, state });
  const says = "cannot view a folder policy, at least not of everything (GET /api/v1.2/folders/policy: 404)";
  expect(said.warnings).toEqual([expect.stringContaining(says)]);
  half.clearRequests();
  await expect(life.create({ ...args, onDestroy: "restore" })).rejects.toThrow("Nothing was changed");
  expect(writesTo(half)).toEqual([]);
});

test("a folder that is gone says nothing about others, also where nothing proves that policies are shown", async () => {
  const other = await ownEmulator({ extended: true });
  const on = () => inProcess(folderPolicy, other, { extended: true });
  const args = { ...folders.args, onDestroy: "restore" };
  const { id, state } = await createdBy(on(), args);
  const missing = refusal("no such folder", 404);
  answers(other, "folders.viewPolicy", 404, missing, { nth: [1, 2] });
  const { life: later, said } = on();
  await expect(later.create({ ...args, location: "Common/elsewhere" })).rejects.toThrow("Nothing was changed");
  other.clearRequests();
  await later.delete(id, state);
  expect(writesTo(other)).toHaveLength(1);
  expect(said.warnings).toHaveLength(1);
  // And the state of one that is gone tells that there was a policy to see.
  answers(other, "folders.viewPolicy", 404, missing);
  const { life: last, said: then } = on();
  await last.delete(id, state);
  expect(then.warnings).toEqual([expect.stringContaining("no longer exists, or somebody else has removed its policy")]);
});

test("the root folder has an import id too", () =>
  expect(folderPolicy.importId.tells?.("notes//")).toEqual({ type: "notes", location: "/" }));
