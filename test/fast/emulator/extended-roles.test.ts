import { describe, expect, test } from "vitest";
import { permissions } from "../../../emulator/permissions";
import { grants, policyFor, type RolePolicy } from "../../../emulator/role-policy";
import { dataStore, refusal } from "./calls";
import { readDataStores } from "./extended-calls";
import { testEmulator } from "./test-emulator";

const { get, post, put, remove, account } = testEmulator({ extended: true });

const roleNamed = (name: string) => account().roles.find((role) => role.name === name);
const everything = { resource: "all", action: ["all"], access: "allow" };
const create = (policy: unknown, name = "own") => post("/roles", { name, policies: JSON.stringify(policy) });

describe("create", () => {
  test.each([
    [{ name: "own" }, 422, /policies/],
    [{ policies: "[]" }, 422, /name/],
    [{ name: "analyst", policies: "[]" }, 409, /already has a role analyst/],
    [{ name: "system-user", policies: "[]" }, 409, /already/],
    [{ name: "own", policies: [] }, 422, /policies/],
    [{ name: "own", policies: "{" }, 422, /JSON-encoded/],
    [{ name: "own", policies: "{}" }, 422, /policies: element list/],
    [{ name: "own", policies: '[{"resource":"moon","access":"allow"}]' }, 422, /element 0\.resource/],
    [{ name: "own", policies: '[{"resource":"all","access":"maybe"}]' }, 422, /element 0\.access/],
    [{ name: "own", policies: '[{"resource":"all","action":"all","access":"deny"}]' }, 422, /element 0\.action/],
    [{ name: "own", policies: '[{"resource":"all","access":"deny","x":1}]' }, 422, /element 0: unknown field "x"/],
  ])("%j is refused", async (body, status, message) => {
    expect(await post("/roles", body)).toMatchObject({ status, body: refusal(status, message) });
    expect(account().roles).toHaveLength(8);
  });
});

describe("a role grants what its policies say", () => {
  /** What a member of a group with such a role gets. */
  async function statuses(policy: unknown): Promise<number[]> {
    await create(policy);
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

describe("update", () => {
  test.each([
    ["301", { name: "nothing" }, 409, /nothing/],
    ["301", { policies: "[1]" }, 422, /policies: element 0/],
    ["301", { policy: "[]" }, 422, /policy/],
    ["307", { name: "x" }, 422, /system-admin is a system role/],
    ["308", { policies: "[]" }, 422, /only duplicated/],
    ["analyst", {}, 404, /no role analyst/],
  ])("of %s with %j is refused", async (id, body, status, message) => {
    const before = account();
    expect(await put(`/roles/${id}`, body)).toMatchObject({ status, body: refusal(status, message) });
    expect(account()).toEqual(before);
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
