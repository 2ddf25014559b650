import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { folderPolicy } from "../../provider/resources/folder-policy";
import { extendedLifecycle } from "../harness/extended-lifecycle";
import { request } from "../harness/http";
import { inProcess } from "../harness/in-process";
import { type EmulatorState, type LifecycleCase, lifecycle } from "../harness/lifecycle";

const policyOf = (state: EmulatorState, id: number): unknown =>
  state.accounts.find((account) => account.id === 1001)!.folders.find((folder) => folder.id === id)!.policy;

const policy = [
  { access: "allow", action: ["read", "write"], condition: { svcUsers: [102], svcGroups: [204, 206] } },
  { access: "deny" },
];
const args = { type: "notes", location: "Common/reports", policy };
const withElement = (element: unknown) => ({ ...args, policy: [element] });

const life: LifecycleCase = {
  type: "FolderPolicy",
  args,
  present: (state, id) => {
    expect(policyOf(state, 701)).toEqual([
      { access: "allow", action: ["read", "write"], condition: { svc_users: [102], svc_groups: [204, 206] } },
      { access: "deny" },
    ]);
    expect(id).toBe("notes/Common/reports");
  },
  absent: (state) => expect([policyOf(state, 701), policyOf(state, 704)]).toEqual([[], [{ access: "deny" }]]),
  changes: [
    {
      what: "ids and actions in another order",
      args: {
        ...args,
        policy: [
          { access: "allow", action: ["write", "read"], condition: { svcUsers: [102], svcGroups: [206, 204] } },
          { access: "deny" },
        ],
      },
      expect: "same",
      calls: { "folders.policy": 0 },
    },
    {
      what: "an undocumented action, and what destroy does",
      args: { ...args, policy: [{ access: "deny", action: ["all", "manage"] }], onDestroy: "clear" },
      expect: "update",
      calls: { "folders.policy": 1 },
      after: (state, { text }) => {
        expect(policyOf(state, 701)).toEqual([{ access: "deny", action: ["all", "manage"] }]);
        expect(text).toContain('the policy of folder Common/reports uses the action "manage"');
      },
    },
    {
      what: "another folder: the first is cleared",
      args: { type: "notebook_dashboards", location: "Common/boards", policy: [{ access: "deny" }], name: "boards" },
      expect: "replace",
      calls: { "folders.policy": 2 },
      after: (state) => expect([policyOf(state, 701), policyOf(state, 704)]).toEqual([[], [{ access: "deny" }]]),
    },
  ],
  kept: "the policy of folder ID stays on the platform as last set",
  bad: [
    {
      what: "an action without a name",
      args: withElement({ access: "deny", action: [""] }),
      property: "policy[0].action[0]",
      says: "is empty; expected an action",
    },
    {
      what: "another access",
      args: withElement({ access: "grant" }),
      property: "policy[0].access",
      says: 'one of "allow", "deny"',
    },
    {
      what: "more than an element has",
      args: withElement({ access: "deny", actions: ["read"] }),
      property: "policy[0]",
      says: 'has no property "actions"',
    },
    {
      what: "another type",
      args: { ...args, type: "note" },
      property: "type",
      says: 'is "note"; expected one of "notes", "notebook_dashboards"',
    },
    { what: "no location", args: { type: "notes", policy }, property: "location", says: "is required" },
    {
      what: "an empty location",
      args: { ...args, location: "" },
      property: "location",
      says: 'is empty; expected a location such as "Common/reports"',
    },
    {
      what: "a location of slashes",
      args: { ...args, location: "/" },
      property: "location",
      says: "does not name a folder",
    },
    {
      what: "a nameless folder inside",
      args: { ...args, location: "a//b" },
      property: "location",
      says: "contains an empty folder name",
    },
    { what: "an empty name", args: { ...args, name: "" }, property: "name", says: "is empty; omit it" },
    {
      what: "an unknown value of onDestroy",
      args: { ...args, onDestroy: "revert" },
      property: "onDestroy",
      says: "expected one of",
    },
    {
      what: "restore without the extended API",
      args: { ...args, onDestroy: "restore" },
      property: "onDestroy",
      says: 'is "restore", which needs the extended API; set dataplatform:extendedApi to true',
    },
    {
      what: "no policy to set at destroy",
      args: { ...args, onDestroy: "set" },
      property: "destroyPolicy",
      says: 'is required when onDestroy is "set"',
    },
    {
      what: "a policy that destroy would not use",
      args: { ...args, destroyPolicy: policy },
      property: "destroyPolicy",
      says: 'only when onDestroy is "set", but it is "keep"',
    },
  ],
  badLater: {
    args: { ...args, policy: [{ access: { $later: "grant" } }] },
    property: "policy[0].access",
    says: /policy\[0\]\.access .*expected one of/,
  },
  forbidden: { token: "powerless", says: "system-user or system-admin, or a user with manage permission on folders" },
};
lifecycle(life);

const setBySomebody = (emulator: Emulator, elements: readonly object[]) =>
  request(emulator, "PUT", "/api/v1.2/folders/policy", {
    location: "Common/reports",
    source_type: "Folder",
    type: "notes",
    policy: JSON.stringify(elements),
  });
const earlier = [{ access: "allow", action: ["read"], condition: { svc_groups: [204] } }];

extendedLifecycle(life, {
  args: { ...args, onDestroy: "restore" },
  prepare: (emulator) => setBySomebody(emulator, earlier),
  absent: (state) => expect(policyOf(state, 701)).toEqual(earlier),
  drift: { make: (emulator) => setBySomebody(emulator, [{ access: "deny" }]) },
  changes: [
    {
      what: "another policy",
      args: { ...args, policy: [{ access: "deny", action: ["all"] }], onDestroy: "restore" },
      expect: "update",
      after: (state) => expect(policyOf(state, 701)).toEqual([{ access: "deny", action: ["all"] }]),
    },
  ],
  imported: { ...args, policy: [{ access: "deny", action: ["all"] }] },
});

describe("FolderPolicy against the emulator", () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator();
  });
  beforeEach(() => emulator.reset());
  afterAll(() => emulator.close());
  const reports = (): unknown => policyOf(emulator.state({ secrets: true }), 701);

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
    await request(emulator, "PUT", "/api/v1.2/folders/rename", {
      name: "renamed",
      folder_id: "701",
      location: "Common/reports",
      type: "notes",
    });
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
    expect(folderPolicy.fromId?.(id)).toEqual({ type: "notes", location: own.location });
  });

  test.each(["Common/reports", "notes", "notes/", "notes//", "note/Common", ""])("import by %j is rejected", (id) => {
    expect(() => folderPolicy.fromId?.(id)).toThrow("expected type/location, such as notes/Common/reports");
  });
});
