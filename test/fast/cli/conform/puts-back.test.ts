import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Part, parts } from "../../../../cli/conform/probes";
import type { Targets } from "../../../../cli/conform/targets";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../emulator";
import { fetchOnce } from "../../../harness/http";
import { conform, noTargets } from "./run";

/** What was there before a writing examination is there after it, whatever the platform shows of it. */
let emulator: Emulator;
const start = async (options: EmulatorOptions = {}) => {
  emulator = await startEmulator({ extended: true, ...options });
};
beforeEach(() => start());
afterEach(() => emulator.close());

const only = async (part: Part, targets: Partial<Targets>) => {
  const skip = parts.filter((other) => other !== part);
  return conform(emulator, { targets: { ...noTargets, ...targets }, write: { account: "1001", skip }, pauseMs: 5 });
};

describe("a policy", () => {
  const note = { source_type: "note", source_id: "502" } as const;
  const overwritten = () => only("policies", { overwritable: [note] });
  const policy = () => emulator.state().accounts[0]!.objects.find(({ id }) => id === 502)!.policy;
  const setPolicy = async (elements: readonly object[]) => {
    const headers = { "X-AUTH-TOKEN": emulator.tokens["admin"]!, "content-type": "application/json" };
    const body = JSON.stringify({ ...note, policy: JSON.stringify(elements) });
    const url = `${emulator.url}/api/v1.2/object_policy/policy`;
    expect((await fetchOnce(url, { method: "PUT", headers, body })).status).toBe(200);
  };
  const mine = [{ access: "deny", action: ["read"], condition: { svc_groups: [204] } }];

  test.each([
    ["is refused", 403, { message: "no" }],
    ["fails", 422, { message: "no" }],
    ["has an unknown form", 200, { rules: [{ who: 104 }] }],
    ["has elements of an unknown form", 200, { policy: ["allow"] }],
    ["has a condition of an unknown form", 200, { policy: [{ access: "deny", condition: "svc_users=104" }] }],
  ])("whose view %s is not overwritten", async (_, status, body) => {
    await setPolicy(mine);
    emulator.setFaults({ rules: [{ operation: "objectPolicy.view", kind: "respond", status, body }] });
    emulator.clearRequests();
    const { report } = await overwritten();
    expect(emulator.requests().counts["objectPolicy.set"]).toBeUndefined();
    expect(policy()).toEqual(mine);
    const set = report.operations.find(({ name }) => name === "objectPolicy.set")!;
    expect(set.notes[0]).toContain("the policy of note/502 could not be read");
  });

  test("is put back with every field and condition that was shown", async () => {
    emulator.setReadings({ policyFields: "kept" });
    const rich = [{ ...mine[0]!, note: "ours", condition: { svc_groups: [204], from: "10.0.0.0/8" } }];
    await setPolicy(rich);
    const { report } = await overwritten();
    expect(policy()).toEqual(rich);
    expect(report.leftBehind).toEqual([]);
  });

  test("is put back with ids that are no numbers", async () => {
    const shown = [{ access: "deny", action: ["read"], condition: { svc_users: ["u-104", "104"] } }];
    emulator.setFaults({
      rules: [
        { operation: "objectPolicy.view", kind: "respond", status: 200, body: { policy: shown } },
        { operation: "objectPolicy.set", kind: "respond", status: 200, body: {} },
      ],
    });
    const { exchanges } = await overwritten();
    const sets = exchanges.filter(({ name }) => name === "objectPolicy.set");
    const { policy: last } = sets.at(-1)!.ask.body as { policy: string };
    expect(JSON.parse(last)).toEqual([{ ...shown[0]!, condition: { svc_users: ["u-104", 104] } }]);
  });

  test("that is not shown again as it was is an error that names it", async () => {
    await setPolicy(mine);
    emulator.setReadings({ policyFields: "kept" });
    const rules = [{ operation: "objectPolicy.set", kind: "respond" as const, status: 200, body: {} }];
    const { report } = await conform(emulator, {
      targets: { ...noTargets, overwritable: [note] },
      write: { account: "1001", skip: parts.filter((part) => part !== "policies") },
      pauseMs: 5,
      // From now on the platform says that it has set a policy, and does not.
      onExchange: ({ name }) => name === "objectPolicy.set" && emulator.setFaults({ rules }),
    });
    expect(report.leftBehind).toEqual([
      { what: "policy of note/502", why: expect.stringContaining("not shown as before") },
    ]);
  });
});

test("a folder's policy keeps every condition", async () => {
  await emulator.close();
  await start({ readings: { policyFields: "kept" } });
  const shown = [{ access: "deny", action: ["read"], condition: { svc_groups: [204], from: "10.0.0.0/8" } }];
  emulator.setFaults({
    rules: [{ operation: "folders.viewPolicy", kind: "respond", status: 200, body: { policy: shown } }],
  });
  const folder = { type: "notes", id: "703", location: "Users/owner@analytics.example.com/private" } as const;
  const { exchanges } = await only("folders", { folder });
  const set = exchanges.find(({ name }) => name === "folders.policy")!;
  expect(JSON.parse((set.ask.body as { policy: string }).policy)).toEqual(shown);
});

describe("the role of --group-role", () => {
  const groupRole = { group: "205", role: "analyst" };
  const rolesOf = () => emulator.state().accounts[0]!.groups.find(({ id }) => id === 205)!.roles;
  const give = async () => {
    const headers = { "X-AUTH-TOKEN": emulator.tokens["admin"]!, "content-type": "application/json" };
    const url = `${emulator.url}/api/v1.2/groups/205/roles/analyst/assign`;
    await fetchOnce(url, { method: "PUT", headers, body: "{}" });
    const roles = rolesOf();
    expect(roles.length).toBeGreaterThan(0);
    return roles;
  };
  const reading = ["groups.list", "groups.roles", "roles.list"];

  test.each<[string, EmulatorOptions]>([
    ["as records", { extended: reading }],
    ["as ids", { extended: reading, readings: { groupRoles: "ids" } }],
    ["nowhere, and a role is not assigned twice", { extended: false, readings: { roleRepeated: "refused" } }],
    ["as records, and groups can be created, but no roles", { extended: [...reading, "groups.create"] }],
  ])("stays with a group that has it; roles of groups are listed %s", async (_, options) => {
    await emulator.close();
    await start(options);
    const before = await give();
    await only("access", { groupRole });
    expect(rolesOf()).toEqual(before);
  });

  test("stays where the list of roles is refused", async () => {
    await emulator.close();
    await start({ extended: reading });
    const before = await give();
    emulator.setFaults({ rules: [{ operation: "groups.roles", kind: "respond", status: 422, body: {} }] });
    await only("access", { groupRole });
    expect(rolesOf()).toEqual(before);
  });
});

describe("the package of --package", () => {
  const named = { environment: "403", package: "toolz==0.12.1" };

  test.each([
    ["the list of packages is refused", "package.listPackages"],
    ["the platform refuses to add it", "package.add"],
  ])("is not removed where %s", async (_, operation) => {
    emulator.setFaults({ rules: [{ operation, kind: "respond", status: 422, body: { message: "no" } }] });
    await only("packages", named);
    expect(emulator.requests().counts["package.remove"]).toBeUndefined();
  });
});
