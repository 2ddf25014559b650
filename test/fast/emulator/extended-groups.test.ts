import { describe, expect, test } from "vitest";
import { permissions } from "../../../emulator/permissions";
import { grants, policyFor, type RolePolicy } from "../../../emulator/role-policy";
import { dataStore, readDataStores, testEmulator } from "./calls";

const { get, post, put, remove, account } = testEmulator({ extended: true });

const groupNamed = (name: string) => account().groups.find((group) => group.name === name);
const membersOf = (id: number | undefined) =>
  account().users.flatMap((user) => (id !== undefined && user.groups.includes(id) ? [user.id] : []));
const operator = "operator@analytics.example.com";

describe("groups: create", () => {
  test.each([
    ["ids in a string", { members: "104,105", roles: "301, 302" }],
    ["addresses and names in a string", { members: `analyst@analytics.example.com,${operator}`, roles: "analyst,302" }],
    ["arrays of ids", { members: [104, "105"], roles: [301, 302] }],
    ["arrays of addresses and names", { members: ["104", operator.toUpperCase()], roles: ["analyst", "302"] }],
    ["the same twice", { members: `104,105,${operator}`, roles: "301,analyst,302" }],
  ])("with %s", async (_title, lists) => {
    expect((await post("/groups", { name: "new", ...lists })).body).toEqual({ status: "done" });
    expect(groupNamed("new")?.roles).toEqual([301, 302]);
    expect(membersOf(groupNamed("new")?.id)).toEqual([104, 105]);
    expect(membersOf(204)).toEqual([104]);
  });
});

describe("groups: update", () => {
  test("adds and removes members and roles", async () => {
    await put("/groups/204", { members: "105,106", roles: "302" });
    expect([membersOf(204), groupNamed("analysts")?.roles]).toEqual([
      [104, 105, 106],
      [301, 302],
    ]);
    const answer = await put("/groups/204", {
      name: "readers",
      members: "103",
      removed_members: `104,${operator}`,
      removed_roles: "analyst,306",
    });
    expect(answer.body).toEqual({ status: { status_code: 200, message: "group readers updated" } });
    expect([membersOf(204), groupNamed("readers")]).toEqual([[103, 106], { id: 204, name: "readers", roles: [302] }]);
    expect((await put("/groups/204", { name: "readers" })).status).toBe(200);
  });
});

describe("groups: delete", () => {
  test.each(["204", "analysts"])("%s: its users are no longer members", async (group) => {
    expect((await remove(`/groups/${group}`)).body).toEqual({ status: "success" });
    expect(groupNamed("analysts")).toBeUndefined();
    expect(membersOf(204)).toEqual([]);
    expect((await get("/commands", undefined, "analyst")).status).toBe(403);
    await post("/groups", { name: "next" });
    expect(groupNamed("next")?.id).toBe(255);
  });
});

describe("groups: members", () => {
  test.each(["105,106", `${operator},106`, `${encodeURIComponent(operator)},%20106`])(
    "%s are added by id or name of the group, and removed",
    async (users) => {
      expect((await put(`/groups/analysts/svc_users/${users}/add`, {})).body).toEqual({ status: "done" });
      expect(membersOf(204)).toEqual([104, 105, 106]);
      expect((await get("/commands", undefined, "operator")).status).toBe(200);
      expect((await put(`/groups/204/svc_users/${users}/remove`)).body).toMatchObject({ status: { status_code: 200 } });
      expect(membersOf(204)).toEqual([104]);
      expect((await get("/commands", undefined, "operator")).status).toBe(403);
    },
  );

  test("a member of system-admin may do everything", async () => {
    await put("/groups/system-admin/svc_users/103/add", {});
    expect((await get("/hive/default", undefined, "powerless")).status).toBe(200);
  });
});

test("a duplicate has the members and roles of the original", async () => {
  expect((await post("/groups/204/duplicate", {})).body).toMatchObject({ name: "analysts-clone" });
  await post("/groups/204/duplicate", { name: "more" });
  for (const name of ["analysts-clone", "more"])
    expect([groupNamed(name)?.roles, membersOf(groupNamed(name)?.id)]).toEqual([[301], [104]]);
  expect((await post("/groups/204/duplicate", {})).status).toBe(409);
  expect((await get("/groups/9/svc_users")).status).toBe(404);
});

const roleNamed = (name: string) => account().roles.find((role) => role.name === name);
const everything = { resource: "all", action: ["all"], access: "allow" };
const createRole = (policy: unknown, name = "own") => post("/roles", { name, policies: JSON.stringify(policy) });

describe("a role grants what its policies say", () => {
  /** What a member of a group with such a role gets. */
  async function statuses(policy: unknown): Promise<number[]> {
    await createRole(policy);
    await post("/groups", { name: "g", members: "103", roles: "own" });
    const asMember = "powerless";
    return [
      (await get("/db_taps", undefined, asMember)).status,
      (await post("/db_taps", dataStore, asMember)).status,
      (await get("/whitelist_ip", undefined, asMember)).status,
      (await get("/roles", undefined, asMember)).status,
    ];
  }
  const element = (resource: string, action?: string[], access = "allow") => ({ resource, action, access });

  test.each([
    ["nothing", [], [403, 403, 403, 403]],
    ["an action on a resource", [element("datastore", ["read"])], [200, 403, 403, 403]],
    ["all actions on a resource", [element("datastore", ["all"])], [200, 200, 403, 403]],
    ["an action on all resources", [element("all", ["read"])], [200, 403, 403, 200]],
    ["everything", [everything], [200, 200, 200, 200]],
    ["an element without an action", [element("all")], [403, 403, 403, 403]],
    ["a denial after", [everything, element("datastore", ["create"], "deny")], [200, 403, 200, 200]],
    ["a denial before", [element("datastore", ["all"], "deny"), everything], [403, 403, 200, 200]],
    ["a denial of everything", [everything, element("all", ["all"], "deny")], [403, 403, 403, 403]],
    ["several", [element("account", ["update"]), element("role", ["read"])], [403, 403, 200, 200]],
  ])("%s", async (_title, policy, expected) => {
    expect(await statuses(policy)).toEqual(expected);
  });

  test.each([...permissions])("%s", (permission) => {
    const policy = policyFor([permission]);
    expect(policy).toMatchObject([{ access: "allow" }]);
    expect(grants(policy, permission)).toBe(true);
    const [{ resource, action }] = policy as [RolePolicy[number]];
    expect(grants([...policy, { resource, action, access: "deny" }], permission)).toBe(false);
  });

  test.each([
    ["system-admin", 200, 200],
    ["system-user", 200, 403],
  ])("%s can be assigned, and duplicated with the same effect", async (name, view, createStatus) => {
    await post("/groups", { name: "g", members: "103", roles: name });
    const { body } = await post(`/roles/${roleNamed(name)?.id}/duplicate`, { name: "copy" });
    expect(body.roles).toMatchObject({ name: "copy", source: "user-defined" });
    for (const role of [name, "copy"]) {
      await put(`/groups/${account().groups.at(-1)?.id}`, { roles: role });
      expect((await get("/db_taps", undefined, "powerless")).status).toBe(view);
      expect((await post("/db_taps", dataStore, "powerless")).status).toBe(createStatus);
      await put(`/groups/${account().groups.at(-1)?.id}`, { removed_roles: role });
    }
  });
});

test.each(["301", "analyst"])("deleting %s takes it from its groups", async (role) => {
  expect((await remove(`/roles/${role}`, {})).body).toEqual({ status: "done" });
  expect(roleNamed("analyst")).toBeUndefined();
  expect(account().groups.find(({ id }) => id === 204)?.roles).toEqual([]);
  expect((await remove(`/roles/${role}`, {})).status).toBe(404);
  for (const system of ["307", "system-user"]) expect((await remove(`/roles/${system}`)).status).toBe(422);
});

test("duplicates take the name, the policy, or both", async () => {
  await post("/roles/301/duplicate", {});
  await post("/roles/301/duplicate", { name: "copy", policy: JSON.stringify(readDataStores) });
  expect(roleNamed("analyst-clone")).toMatchObject({ permissions: roleNamed("analyst")?.permissions });
  expect(roleNamed("copy")).toMatchObject({ policies: readDataStores });
  expect((await post("/roles/301/duplicate", {})).status).toBe(409);
  expect((await post("/roles/301/duplicate", { name: "x", policy: "no" })).status).toBe(422);
});
