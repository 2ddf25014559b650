import { describe, expect, test } from "vitest";
import { folderPolicy } from "../../../provider/resources/folder-policy";
import { renameFolder } from "../../cases/folder";
import { policyOf, setPolicy } from "../../cases/folder-grant";
import { args, earlier, onWire, policy } from "../../cases/folder-policy";
import { eachReading, freshEmulator } from "../../harness/emulators";
import { createdBy, inProcess } from "../../harness/in-process";

describe("FolderPolicy against the emulator", () => {
  const emulator = freshEmulator();
  const reports = (): unknown => policyOf(emulator.state({ secrets: true }));

  test("destroy sets destroyPolicy, without a warning", async () => {
    const { life, said } = inProcess(folderPolicy, emulator);
    const { id, state } = await life.create({ ...args, onDestroy: "set", destroyPolicy: [{ access: "deny" }] });
    await life.delete(id, state);
    expect(reports()).toEqual([{ access: "deny" }]);
    expect(said.warnings).toEqual([]);
  });

  test("destroying the policy of a moved folder succeeds, and says that the policy moved along", async () => {
    const { life, said } = inProcess(folderPolicy, emulator);
    const { id, state } = await life.create({ ...args, onDestroy: "clear" });
    await renameFolder(emulator, "Common/reports", "renamed");
    await life.delete(id, state);
    expect(said.warnings).toEqual([expect.stringContaining("folder notes/Common/reports no longer exists")]);
  });

  test("the policy is sent as one JSON string, and Folder as its source type", async () => {
    emulator.clearRequests();
    await inProcess(folderPolicy, emulator).life.create({ ...args, policy: [policy[1]], name: "reports" });
    const sent = emulator.requests().requests.filter(({ operation }) => operation === "folders.policy");
    expect(sent.map(({ body }) => body)).toEqual([
      {
        location: "Common/reports",
        source_type: "Folder",
        type: "notes",
        policy: '[{"access":"deny"}]',
        name: "reports",
      },
    ]);
  });

  test("an owner with manage permission on the folder may set its policy", async () => {
    const own = { ...args, location: "Users/owner@analytics.example.com/private" };
    const { id } = await inProcess(folderPolicy, emulator, { token: "owner" }).life.create(own);
    expect(folderPolicy.importId.tells?.(id)).toEqual({ type: "notes", location: own.location });
    expect(folderPolicy.importId.tells?.("notes//")).toEqual({ type: "notes", location: "/" });
  });

  test.each(["Common/reports", "notes", "notes/", "note/Common", ""])("import by %j is rejected", (id) => {
    expect(() => folderPolicy.importId.tells?.(id)).toThrow("expected type/location, such as notes/Common/reports");
  });
});

describe("FolderPolicy with the extended API", () => {
  const emulator = freshEmulator({ extended: true });
  const on = (options: Parameters<typeof inProcess>[2] = {}) =>
    inProcess(folderPolicy, emulator, { extended: true, ...options });
  const off = () => inProcess(folderPolicy, emulator);
  const reports = (): unknown => policyOf(emulator.state({ secrets: true }));
  const restoring = { ...args, onDestroy: "restore" };
  const forms = eachReading({
    policyView: ["wrapped", "wrapped-text", "policy-only", "array", "text"],
    policyIdLists: ["filled"],
    policyFields: ["added"],
    idType: ["text-everywhere"],
    refusalStatus: ["200"],
  });

  test.each(forms)(
    "%j: reads its own policy without drift, finds that of others, and restores the original",
    async (reading) => {
      await setPolicy(emulator, earlier);
      emulator.setReadings(reading);
      const { life: its, said, id, state } = await createdBy(on(), restoring);
      expect(state["originalPolicy"]).toMatchObject([
        { access: "allow", action: ["read"], condition: { svcGroups: [204] } },
      ]);
      await expect(its.read(id, state)).resolves.toEqual({ id, state });
      await setPolicy(emulator, [{ access: "deny" }]);
      const drifted = await its.read(id, state);
      expect(drifted?.state["policy"]).toMatchObject([{ access: "deny" }]);
      await its.delete(id, drifted!.state);
      expect(reports()).toMatchObject(earlier);
      expect(said.warnings).toEqual([]);
    },
  );

  test.each(["usual", "array", "object", "null", "empty", "404"] as const)(
    "a folder without a policy, shown as %s, has an empty one again after destroy",
    async (policyMissing) => {
      emulator.setReadings({ policyMissing });
      const { life: its, said, id, state } = await createdBy(on(), restoring);
      expect(state["originalPolicy"]).toEqual([]);
      await its.delete(id, state);
      expect(reports()).toEqual([]);
      const cleared = await its.create({ ...restoring, policy: [] });
      await expect(its.read(id, cleared.state)).resolves.toMatchObject({ state: { policy: [] } });
      expect(said.warnings.filter((message) => !message.includes("already has this policy"))).toEqual([]);
    },
  );

  test("the platform may list the elements in another order, and all as the two actions", async () => {
    const { life: its } = on();
    const { id, state } = await its.create({ ...args, policy: [{ access: "deny", action: ["all"] }, ...policy] });
    await setPolicy(emulator, [...onWire, { access: "deny", action: ["write", "read"] }]);
    await expect(its.read(id, state)).resolves.toEqual({ id, state });
  });

  test("a folder that is gone is dropped by refresh, and destroy does nothing", async () => {
    const { life: its, said, id, state } = await createdBy(on(), restoring);
    await renameFolder(emulator, "Common/reports", "renamed");
    await expect(its.read(id, state)).resolves.toBeUndefined();
    expect(said.warnings).toEqual([]);
    await its.delete(id, state);
    expect(reports()).toEqual(onWire);
    expect(said.warnings).toEqual([
      expect.stringContaining("folder notes/Common/reports no longer exists, or somebody"),
    ]);
  });

  test("turned off and on again: nothing changes, and destroy restores only while it is on", async () => {
    await setPolicy(emulator, earlier);
    const { id, state } = await on().life.create(restoring);
    const without = off();
    emulator.clearRequests();
    await expect(without.life.read(id, state)).resolves.toMatchObject({ state });
    await without.life.delete(id, state);
    expect(emulator.requests().requests.map(({ operation }) => operation)).not.toContain("folders.viewPolicy");
    expect(reports()).toEqual(onWire);
    expect(without.said.warnings).toEqual([
      expect.stringContaining("restoring the original one needs the extended API"),
    ]);
    await on().life.delete(id, state);
    expect(reports()).toEqual(earlier);
  });
});

describe("FolderPolicy with the extended API, on an installation that cannot view folder policies", () => {
  const emulator = freshEmulator();

  test("refresh keeps the state with one warning, and restore is an error before anything is sent", async () => {
    const { life: its, said, id, state } = await createdBy(inProcess(folderPolicy, emulator, { extended: true }), args);
    await expect(its.read(id, state)).resolves.toEqual({ id, state });
    await expect(its.read(id, state)).resolves.toEqual({ id, state });
    expect(said.warnings).toEqual([
      expect.stringContaining("cannot view a folder policy (GET /api/v1.2/folders/policy: 404)"),
    ]);
    emulator.clearRequests();
    await expect(its.create({ ...args, onDestroy: "restore" })).rejects.toThrow("Nothing was changed");
    expect(emulator.requests().requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
