import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ExtendedChoice, extendedNames, type SecondPlatform, startSecondPlatform } from ".";
import { xapi } from "./probes/extended/paths";
import { api, at, Tester } from "./probes/tester";

let platform: SecondPlatform;
let t: Tester;

beforeEach(async () => {
  platform = await startSecondPlatform({ extended: true, statusCourse: "running, then done" });
  t = new Tester(platform);
});
afterEach(() => t.close());

const store = { name: "n", db_name: "d", db_host: "h", db_user: "u", db_passwd: "p" };

describe("which operations there are", () => {
  it("has none by default, and those named otherwise", async () => {
    const status = async (given: { extended?: boolean | readonly ExtendedChoice[] }) => {
      const one = new Tester(await startSecondPlatform(given));
      const paths = [xapi.store(301), xapi.groups, xapi.roles, xapi.command(4001)];
      const seen = await Promise.all(paths.map(async (path) => (await one.get(path)).status));
      await one.close();
      return seen;
    };
    expect(await status({})).toEqual([404, 404, 404, 404]);
    expect(await status({ extended: false })).toEqual([404, 404, 404, 404]);
    expect(await status({ extended: ["dataStores", "roles.list"] })).toEqual([200, 404, 200, 404]);
    expect(await status({ extended: true })).toEqual([200, 200, 200, 200]);
    const wrong = ["group"] as unknown as ExtendedChoice[];
    await expect(startSecondPlatform({ extended: wrong })).rejects.toThrow("no extended operation is called group");
    expect(new Set(extendedNames).size).toBe(extendedNames.length);
  });
});

describe("data stores", () => {
  it("views, lists, edits and deletes what the specified operation created", async () => {
    const id = at((await t.post(api.stores, store)).json, "id") as number;
    expect((await t.get(xapi.store(id))).json).toMatchObject({ id, db_host: "h", db_passwd: "", port: null });
    const edited = await t.put(xapi.store(id), { db_host: "other", port: 3307 });
    expect(edited.json).toMatchObject({ id, db_host: "other", port: 3307, db_user: "u" });
    expect(platform.state().dataStores[1]).toMatchObject({ name: "n", dbHost: "other", dbPasswd: "p" });
    const page = (await t.get(api.stores)).json;
    expect(at(page, "paging_info")).toEqual({ previous_page: null, next_page: null, per_page: 10 });
    expect((at(page, "db_taps") as { id: number }[]).map((one) => one.id)).toEqual([301, id]);
    const beyond = await t.get(api.stores, { query: { page: "3" } });
    expect([beyond.status, beyond.text]).toEqual([422, expect.stringContaining("Page number: 3 is out of bounds.")]);
    expect((await t.delete(xapi.store(id))).json).toEqual({ status: "deleted" });
    for (const method of ["GET", "PUT", "DELETE"])
      expect((await t.send(method, xapi.store(id), method === "PUT" ? {} : undefined)).status).toBe(404);
    expect((await t.get(xapi.store(301), { token: platform.tokens.otherAccount })).status).toBe(404);
  });

  it("keeps the rules of create on edit", async () => {
    const status = async (body: Record<string, unknown>) => (await t.put(xapi.store(301), body)).status;
    const gateway = { gateway_ip: "192.0.2.9", gateway_username: "g", gateway_private_key: "k" };
    expect(await status({ gateway_ip: "192.0.2.9" })).toBe(422);
    expect(await status({ ...gateway, db_location: "on-premise" })).toBe(200);
    expect(await status({ gateway_ip: "192.0.2.10" })).toBe(200);
    expect(platform.state().dataStores[0]?.gateway).toMatchObject({ gateway_ip: "192.0.2.10", gateway_username: "g" });
    expect(await status({ db_location: "us-west-2" })).toBe(200);
    expect(platform.state().dataStores[0]?.gateway).toEqual({});
    expect(await status({ db_type: "sqlserver" })).toBe(422);
  });
});

describe("groups and roles", () => {
  const policies = JSON.stringify([{ resource: "datastore", action: ["read"], access: "allow" }]);

  it("makes a group with members and roles, by ids in text or by names in a list", async () => {
    expect((await t.post(xapi.groups, { name: "team", members: "13,14", roles: "1,2" })).json).toEqual({
      status: "done",
    });
    const groups = at((await t.get(xapi.groups)).json, "groups") as { id: number; name: string }[];
    const id = groups.find((group) => group.name === "team")?.id as number;
    expect(id).toBe(101);
    expect((await t.get(xapi.group(id))).json).toEqual({ id, name: "team", source: "user-defined" });
    const emails = async (group: number | string) =>
      (at((await t.get(xapi.groupUsers(group))).json, "users") as { email: string }[]).map((one) => one.email);
    expect(await emails(id)).toEqual(["guest@acme.example", "Ana.Lyst@acme.example"]);
    expect((await t.put(xapi.memberChange(id, "owner@acme.example,12", "add"), {})).json).toEqual({ status: "done" });
    expect((await t.put(xapi.memberChange("team", "13", "remove"), {})).status).toBe(200);
    expect(await emails("team")).toEqual(["operator@acme.example", "Ana.Lyst@acme.example", "owner@acme.example"]);
    await t.put(api.role(id, "auditor", "assign"), {});
    const names = async () =>
      (at((await t.get(xapi.groupRoles(id))).json, "roles") as { name: string }[]).map((one) => one.name);
    expect(await names()).toEqual(["data-reader", "data engineer", "auditor"]);
    const change = { name: "crew", members: "11", removed_members: "12,14", removed_roles: "2" };
    expect((await t.put(xapi.group(id), change)).status).toBe(200);
    expect(await emails("crew")).toEqual(["admin@acme.example", "owner@acme.example"]);
    expect(await names()).toEqual(["data-reader", "auditor"]);
    expect((await t.post(xapi.groups, { name: "crew" })).status).toBe(422);
    expect((await t.post(xapi.groups, { name: "x", members: "11,999" })).status).toBe(404);
    expect((await t.delete(xapi.group("crew"))).json).toEqual({ status: "success" });
    expect((await t.get(xapi.group(id))).status).toBe(404);
    expect((await t.delete(xapi.group("everyone"))).status).toBe(403);
    expect(platform.state().users.some((user) => user.groups.includes(id))).toBe(false);
  });

  it("gives a new account its system roles", async () => {
    const token = at((await t.post(api.createAccount2, { account: { name: "sub" } })).json, "authentication_token");
    const roles = at((await t.get(xapi.roles, { token: token as string })).json, "roles") as { name: string }[];
    expect(roles.map((role) => role.name)).toEqual(["system-admin", "system-user"]);
  });

  it("makes a role whose policy decides what its holders may do", async () => {
    const reply = await t.post(xapi.roles, { name: "keeper", policies });
    expect(reply.json).toEqual({
      status: "success",
      roles: { id: 101, name: "keeper", source: "user-defined", policy: policies, account_id: 101 },
    });
    const { analyst } = platform.tokens;
    const views = async () => (await t.get(xapi.store(301), { token: analyst })).status;
    expect(await views()).toBe(403);
    await t.put(api.role(4, "keeper", "assign"), {});
    expect(await views()).toBe(200);
    expect((await t.delete(xapi.store(301), undefined, { token: analyst })).status).toBe(403);
    expect(at((await t.get(xapi.roleGroups("keeper"))).json, "groups", 0, "name")).toBe("analysts");
    const denied = JSON.stringify([
      { resource: "all", action: ["all"], access: "allow" },
      { resource: "datastore", action: ["read"], access: "deny" },
    ]);
    expect((await t.put(xapi.role(101), { policies: denied })).status).toBe(200);
    expect(await views()).toBe(403);
    expect((await t.get(xapi.role(101))).json).toMatchObject({ name: "keeper", policy: denied });
    expect((await t.delete(xapi.role("keeper"), {})).json).toEqual({ status: "done" });
    expect(platform.state().groups.find((group) => group.id === 4)?.roles).toEqual([1]);
    expect((await t.delete(xapi.role("system-admin"), {})).status).toBe(403);
    const wrong = ["[", "{}", '[{"resource":"moon","access":"allow"}]', '[{"resource":"all","access":"maybe"}]'];
    for (const text of wrong) expect((await t.post(xapi.roles, { name: "w", policies: text })).status, text).toBe(422);
  });
});

describe("folders, policies and environments", () => {
  it("views a folder's policy, and sets that of an environment", async () => {
    const folder = { location: "Common/reports", source_type: "Folder", type: "notes" };
    const [element] = (await t.send("GET", xapi.folderPolicy, folder)).json as unknown[];
    expect(element).toEqual({ access: "allow", action: ["read", "manage"], condition: { svc_users: [21] } });
    const object = { source_id: "42", source_type: "environment" };
    expect((await t.put(api.policy, { ...object, policy: JSON.stringify([element]) })).status).toBe(200);
    expect((await t.send("GET", api.policy, object)).json).toEqual([element]);
  });

  it("makes an environment and lists what was added to it", async () => {
    expect((await t.post(xapi.createEnvironment, { name: "fresh", python_version: "3.5" })).json).toEqual({});
    const list = at((await t.get(xapi.environments)).json, "environments") as { id: number; name: string }[];
    expect(list.map((one) => one.name)).toEqual(["analytics", "bare", "fresh"]);
    const id = list[2]?.id as number;
    await t.post(`/api/v1.2/package/${id}/add_packages`, {
      source_type: "python_package",
      package_names: "scipy==1.0",
    });
    expect((await t.get(xapi.packages(id))).json).toMatchObject({
      env_id: id,
      packages: { python: [{ package_names: "scipy==1.0", status: "success" }], r: [] },
    });
    await t.put(xapi.environment(id, "clone"), {});
    await t.put(xapi.environment(id, "update"), { name: "renamed" });
    await t.delete(xapi.environment(42, "delete"));
    expect(platform.state().environments.map((one) => one.name)).toEqual([
      ...["analytics", "foreign", "renamed", "fresh-clone"],
    ]);
    expect((await t.post(xapi.createEnvironment, { name: "x", python_version: "3.9" })).status).toBe(422);
  });
});

describe("users, accounts and whitelist", () => {
  it("disables, enables and invites", async () => {
    const entry = async (id: number) =>
      (at((await t.get(api.users)).json, "users") as Record<string, unknown>[]).find((one) => one["id"] === id);
    expect(await entry(22)).toMatchObject({ user_type: "service", authentication_token: "second-token-service" });
    expect(await entry(11)).toMatchObject({ is_admin: true, disabled: false, account_id: 101, last_login: null });
    expect(at(await entry(11), "groups", 0)).toEqual({ id: 1, name: "system-admin", source: "system" });
    expect((await t.post(xapi.disable, { svc_user_id: "13" })).status).toBe(200);
    expect(await entry(13)).toMatchObject({ disabled: true });
    await t.post(api.enable, { svc_user_id: "13" });
    expect(await entry(13)).toMatchObject({ disabled: false });
    const invitation = { invitee_email: "new@acme.example", account: "101", groups: "analysts" };
    expect((await t.post(xapi.invite, invitation)).status).toBe(200);
    expect(platform.state().users.at(-1)).toMatchObject({ state: "pending", groups: [4, 3] });
    await t.post(xapi.invite, { ...invitation, invitee_email: "bot@acme.example", user_type: "service" });
    expect(platform.state().users.at(-1)).toMatchObject({ state: "enabled", userType: "service" });
    expect((await t.post(xapi.invite, { ...invitation, account: "202" })).status).toBe(404);
  });

  it("edits the account in both versions", async () => {
    const keys = { acc_key: "K", secret: "S", defloc: "s3://new/place" };
    expect((await t.put(api.account, keys)).status).toBe(200);
    const view = { storage_access_key: "K", storage_secret_key: "S", storage_location: "s3://new/place" };
    expect((await t.get(api.account)).json).toMatchObject(view);
    expect((await t.put(api.account, { acc_key: "K" })).status).toBe(422);
    expect((await t.put(xapi.account2, { access_mode: "IAM_ROLES" })).status).toBe(422);
    expect((await t.put(xapi.account2, { access_mode: "IAM_ROLES", role_arn: "arn:x" })).status).toBe(200);
    expect((await t.get(xapi.account2)).json).toMatchObject({ ...view, is_aws_role_enabled: true, role_arn: "arn:x" });
  });

  it("whitelists with a description into the same list", async () => {
    const reply = await t.post(xapi.whitelist2, { ip_cidr: "192.0.2.5", description: "office" });
    expect(reply.json).toEqual({ status: { status_code: 200, message: "IP whitelisted successfully." } });
    expect(platform.state().whitelist.at(-1)).toMatchObject({ ip: "192.0.2.5", description: "office" });
    expect(at((await t.get(api.whitelist)).json, "account_whitelisted_ips")).toHaveLength(4);
    const long = { ip_cidr: "192.0.2.6", description: "d".repeat(256) };
    expect((await t.post(xapi.whitelist2, long)).status).toBe(422);
    expect((await t.delete(`${xapi.whitelist2}/4`)).status).toBe(200);
    expect(at((await t.get(xapi.whitelist2)).json, "account_whitelisted_ips")).toHaveLength(3);
  });
});

describe("commands and Hive", () => {
  it("shows a command's status, logs and results as it runs", async () => {
    const spark = { command_type: "SparkCommand", language: "python", program: "print(1)" };
    const id = at((await t.post(api.commands, spark)).json, "id") as number;
    expect((await t.get(xapi.logs(id))).text).toBe("");
    expect((await t.get(xapi.results(id))).status).toBe(422);
    expect((await t.get(xapi.command(id))).json).toMatchObject({ id, status: "running", end_time: null });
    expect((await t.get(xapi.withResults(id))).json).toMatchObject({ id: String(id), status: "done", inline: true });
    const view = (await t.get(xapi.command(id))).json;
    expect(view).toMatchObject({ status: "done", progress: 100, email: "admin@acme.example", nominal_time: null });
    expect(at(view, "created_at")).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    expect(at(view, "end_time")).toBeTypeOf("number");
    expect((await t.get(xapi.results(id))).json).toEqual({ inline: true, results: "1\tfirst\r\n2\tzw\u00f6lf\r\n" });
    const elsewhere = (await t.get(xapi.results(id), { query: { inline: "false" } })).json;
    expect(elsewhere).toMatchObject({
      inline: false,
      result_location: [expect.stringContaining("s3://"), expect.any(String)],
    });
    expect((await t.get(xapi.logs(id))).text).toMatch(/^Starting\n.*\nDone\n$/);
    expect((await t.get(xapi.errorLogs(id))).json).toEqual({ error_log: "" });
    expect((await t.get(xapi.command(4005))).status).toBe(404);
  });

  it("cancels a command", async () => {
    expect((await t.put(xapi.command(4002), { status: "stop" })).status).toBe(422);
    expect((await t.put(xapi.command(4002), { status: "kill" })).json).toMatchObject({ status: "cancelling" });
    const seen = [];
    for (let i = 0; i < 3; i += 1) seen.push(at((await t.get(xapi.command(4002))).json, "status"));
    expect(seen).toEqual(["cancelling", "cancelled", "cancelled"]);
    expect((await t.get(xapi.results(4002))).status).toBe(422);
  });

  it("describes tables and their partitions", async () => {
    const table = xapi.table("default", "orders");
    expect(at((await t.get(table)).json, 0)).toEqual({ name: "id", type: "bigint", comment: null });
    expect(at((await t.get(`${table}/partitions`)).json, 1)).toEqual({
      PART_NAME: "dt=2024-01-02/region=eu",
      LOCATION: "s3://acme-bucket/warehouse/default/orders/dt=2024-01-02/region=eu",
    });
    expect((await t.get(xapi.table("sales", "tables_with_views"))).json).toEqual([{ daily: {} }]);
    expect((await t.get(xapi.table("default", "secrets"))).status).toBe(404);
  });
});
