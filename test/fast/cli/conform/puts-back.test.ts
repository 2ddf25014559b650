import { describe, expect, test } from "vitest";
import type { Part } from "../../../../cli/conform/probes";
import type { Examination } from "../../../../cli/conform/session";
import type { Targets } from "../../../../cli/conform/targets";
import type { Emulator, EmulatorOptions } from "../../../../emulator";
import { policyOf, setPolicy } from "../../../cases/object-grant";
import { accountOf, answers, freshEmulator, ownEmulator } from "../../../harness/emulators";
import { request } from "../../../harness/http";
import { conform, noTargets, operationIn, writing } from "./run";

type Only = Pick<Examination, "onExchange"> & { readonly platform?: Emulator };

/** What was there before a writing examination is there after it, whatever the platform shows of it. */
const emulator = freshEmulator({ extended: true });

const only = (part: Part, targets: Partial<Targets>, { platform = emulator, ...more }: Only = {}) =>
  conform(platform, { targets: { ...noTargets, ...targets }, write: writing(1001, [part]), pauseMs: 5, ...more });

describe("a policy", () => {
  const note = { source_type: "note", source_id: "502" } as const;
  const overwritten = (more: Only = {}) => only("policies", { overwritable: [note] }, more);
  const policy = () => policyOf(emulator.state({ secrets: true }), 502);
  const mine = [{ access: "deny", action: ["read"], condition: { svc_groups: [204] } }];

  test.each([
    ["is refused", 403, { message: "no" }],
    ["fails", 422, { message: "no" }],
    ["has an unknown form", 200, { rules: [{ who: 104 }] }],
    ["has elements of an unknown form", 200, { policy: ["allow"] }],
    ["has a condition of an unknown form", 200, { policy: [{ access: "deny", condition: "svc_users=104" }] }],
  ])("whose view %s is not overwritten", async (_, status, body) => {
    await setPolicy(emulator, mine, "502");
    answers(emulator, "objectPolicy.view", status, body);
    emulator.clearRequests();
    const { report } = await overwritten();
    expect(emulator.requests().counts["objectPolicy.set"]).toBeUndefined();
    expect(policy()).toEqual(mine);
    expect(operationIn(report, "objectPolicy.set").notes[0]).toContain("the policy of note/502 could not be read");
  });

  test("is put back with every field and condition that was shown", async () => {
    emulator.setReadings({ policyFields: "kept" });
    const rich = [{ ...mine[0]!, note: "ours", condition: { svc_groups: [204], from: "10.0.0.0/8" } }];
    await setPolicy(emulator, rich, "502");
    const { report } = await overwritten();
    expect(policy()).toEqual(rich);
    expect(report.leftBehind).toEqual([]);
  });

  test("is put back with ids that are no numbers", async () => {
    const shown = [{ access: "deny", action: ["read"], condition: { svc_users: ["u-104", "104"] } }];
    const rule = { kind: "respond" as const, status: 200 };
    const view = { ...rule, operation: "objectPolicy.view", body: { policy: shown } };
    emulator.setFaults({ rules: [view, { ...rule, operation: "objectPolicy.set", body: {} }] });
    const { exchanges } = await overwritten();
    const sets = exchanges.filter(({ name }) => name === "objectPolicy.set");
    const { policy: last } = sets.at(-1)!.ask.body as { policy: string };
    expect(JSON.parse(last)).toEqual([{ ...shown[0]!, condition: { svc_users: ["u-104", 104] } }]);
  });

  test("that is not shown again as it was is an error that names it", async () => {
    await setPolicy(emulator, mine, "502");
    emulator.setReadings({ policyFields: "kept" });
    const { report } = await overwritten({
      // From now on the platform says that it has set a policy, and does not.
      onExchange: ({ name }) => name === "objectPolicy.set" && answers(emulator, name, 200),
    });
    const why = expect.stringContaining("not shown as before");
    expect(report.leftBehind).toEqual([{ what: "policy of note/502", why }]);
  });
});

test("a folder's policy keeps every condition", async () => {
  emulator.setReadings({ policyFields: "kept" });
  const shown = [{ access: "deny", action: ["read"], condition: { svc_groups: [204], from: "10.0.0.0/8" } }];
  answers(emulator, "folders.viewPolicy", 200, { policy: shown });
  const folder = { type: "notes", id: "703", location: "Users/owner@analytics.example.com/private" } as const;
  const { exchanges } = await only("folders", { folder });
  const set = exchanges.find(({ name }) => name === "folders.policy")!;
  expect(JSON.parse((set.ask.body as { policy: string }).policy)).toEqual(shown);
});

const reading = ["groups.list", "groups.roles", "roles.list"];

test.each<[string, EmulatorOptions, refused?: string]>([
  ["as records", { extended: reading }],
  ["as ids", { extended: reading, readings: { groupRoles: "ids" } }],
  ["nowhere, and a role is not assigned twice", { extended: false, readings: { roleRepeated: "refused" } }],
  ["as records, and groups can be created, but no roles", { extended: [...reading, "groups.create"] }],
  ["as records, but the list is refused", { extended: reading }, "groups.roles"],
])(
  "the role of --group-role stays with a group that has it; roles of groups are listed %s",
  async (_, options, operation) => {
    const platform = await ownEmulator(options);
    const rolesOf = () => accountOf(platform).groups.find(({ id }) => id === 205)!.roles;
    await request(platform, "PUT", "/api/v1.2/groups/205/roles/analyst/assign", {});
    const before = rolesOf();
    expect(before.length).toBeGreaterThan(0);
    if (operation) answers(platform, operation, 422);
    await only("access", { groupRole: { group: "205", role: "analyst" } }, { platform });
    expect(rolesOf()).toEqual(before);
  },
);

test.each([
  ["the list of packages is refused", "package.listPackages"],
  ["the platform refuses to add it", "package.add"],
])("the package of --package is not removed where %s", async (_, operation) => {
  answers(emulator, operation, 422, { message: "no" });
  await only("packages", { environment: "403", package: "toolz==0.12.1" });
  expect(emulator.requests().counts["package.remove"]).toBeUndefined();
});
