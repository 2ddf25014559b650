import { describe, expect, test } from "vitest";
import { copy, goodCalls, putEntry, refresh } from "./calls";
import { testEmulator } from "./test-emulator";

const { get, post, put, remove, as, control, account } = testEmulator({}, ({ url }) => putEntry(url));

describe("whitelist", () => {
  const add = (ip_cidr: string, alias?: string) => post("/whitelist_ip", { ip_cidr }, alias);

  test("add returns no id, list shows the text as given, delete accepts a comma-separated list", async () => {
    const added = ["192.0.2.1", "2001:DB8::1", "10.0.0.0/8"];
    for (const address of added)
      expect((await add(address)).body).toEqual({ status: { status_code: 200, message: expect.any(String) } });
    const { account_whitelisted_ips: entries } = (await get("/whitelist_ip")).body;
    expect(entries.map((entry: { ip_cidr: string }) => entry.ip_cidr)).toEqual(["198.51.100.50", ...added]);
    expect(entries[1]).toEqual({
      id: expect.any(Number),
      account_id: 1001,
      ip_cidr: "192.0.2.1",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: expect.any(String),
    });
    const ids = entries.map(({ id }: { id: number }) => id).join(",");
    expect((await remove(`/whitelist_ip/${ids},999`)).status, "an unknown one: deletes nothing").toBe(404);
    expect(account().whitelist).toHaveLength(4);
    expect((await remove(`/whitelist_ip/${ids}`)).body.status.status_code).toBe(200);
    expect((await get("/whitelist_ip")).body).toEqual({ account_whitelisted_ips: [] });
  });

  test("ids are not reused; another account may have the same address", async () => {
    await add("192.0.2.1");
    const first = account().whitelist.at(-1)!.id;
    await remove(`/whitelist_ip/${first}`);
    await add("192.0.2.1");
    expect(account().whitelist.at(-1)!.id).toBeGreaterThan(first);
    expect((await add("192.0.2.1", "otherAdmin")).status).toBe(200);
  });
});

describe("data stores", () => {
  test("fill in the defaults and keep the password", async () => {
    const given = { db_name: "shop", db_host: "db.example.com", db_user: "u", db_passwd: "pass-123" };
    const shown = { account_id: 1001, user_id: 11, active: true, name: "db.example.com-shop", db_type: "mysql" };
    expect((await post("/db_taps", given)).body).toMatchObject({ ...shown, port: null });
    expect(account().dataStores).toMatchObject([{ db_passwd: "pass-123", gateway_port: null }]);
  });

  test("a gateway's default port is 22", async () => {
    const gateway = { gateway_ip: "192.0.2.9", gateway_username: "g", gateway_private_key: "key-text" };
    const { body } = await post("/db_taps", { db_name: "a", db_host: "b", db_location: "on-premise", ...gateway });
    expect(body).not.toHaveProperty("gateway_private_key");
    // Part 2.3: only the port may be null.
    expect(body).toMatchObject({ db_user: "", db_passwd: "" });
    expect(account().dataStores).toMatchObject([{ gateway_port: 22, gateway_private_key: "key-text" }]);
  });

  test("skip_validation allows an unreachable host", async () => {
    const given = { db_name: "a", db_host: "unreachable.example.com" };
    expect((await post("/db_taps", given)).status).toBe(422);
    expect((await post("/db_taps", { ...given, skip_validation: true })).status).toBe(200);
  });
});

describe("Hive", () => {
  const columns = [
    { name: "id", type: "int" },
    { name: "email", type: "string" },
  ];
  test.each([
    ["", ["daily_ticks", "page_views", "customers"]],
    ["?filter=s$", ["daily_ticks", "page_views", "customers"]],
    ["?filter=^c", ["customers"]],
    ["?filter=nothing", []],
    ["?filter=^c&describe=true", [{ customers: { columns } }]],
  ])("list %s", async (query, expected) => {
    expect((await get(`/hive/default/${query}`)).body).toEqual(expected);
  });

  test.each([
    ["default.daily_ticks", { dt: ["2024-01-01"] }, "true"],
    ["default.daily_ticks", { dt: ["2024-01-01", "2024-01-02"] }, "true"],
    ["default.daily_ticks", { dt: ["2024-01-01", "2031-01-01"] }, "false"],
    ["default.daily_ticks", { dt: "[2024-01-01, 2024-01-02]" }, "true"],
    ["default.daily_ticks", { dt: '["2024-01-01", "2031-01-02"]' }, "false"],
    ["events.clicks", { dt: ["2024-02-01"], hour: [0, 1] }, "true"],
    ["default.page_views", { country: ["de", "fr"], dt: ["2024-01-02"] }, "false"],
    ["default.customers", undefined, "true"],
  ])("sensor of %s with %j returns %s on both paths", async (name, wanted, status) => {
    const [schema, table] = name.split(".");
    const parts = wanted && Object.entries(wanted).map(([column, values]) => ({ column, values }));
    for (const path of ["/partition_sensor", "/sensors/partition_sensor"])
      expect(await post(path, { schema, table, columns: parts })).toMatchObject({ status: 200, body: { status } });
  });
});

describe("packages", () => {
  const add = (names: object, id = 401) => post(`/package/${id}/add_packages`, names);
  const python = (package_names: string) => ({ source_type: "python_package", package_names });
  const installed = () => account().environments.find(({ id }) => id === 401)!.python_package;

  test("add, change and remove", async () => {
    await add(python("scipy==1.12.0, requests"));
    const requests = expect.stringMatching(/^\d+\.\d+\.\d+$/);
    expect(installed()).toMatchObject({ numpy: "1.26.4", scipy: "1.12.0", requests });
    // A bare name is the latest version, also of what is installed.
    await add(python("scipy"));
    expect(installed()["scipy"]).not.toBe("1.12.0");
    await add(python("numpy==2.0.0"));
    expect(installed()).toMatchObject({ numpy: "2.0.0" });
    const { body } = await remove("/package/401/remove_packages", python("numpy,pandas==9.9,never-there"));
    expect(body.packages).toEqual(["numpy==2.0.0"]);
    expect(Object.keys(installed()).sort()).toEqual(["pandas", "requests", "scipy"]);
  });

  test("R packages from a repository", async () => {
    const repo_packages = JSON.stringify([{ name: "dplyr", repo_url: "https://cran.example.com" }]);
    expect((await add({ source_type: "r_package", repo_packages }, 402)).status).toBe(200);
    expect(account().environments[1]?.r_package).toHaveProperty("dplyr");
  });
});

describe("commands", () => {
  test("a Spark command object has every field", async () => {
    const named = { name: "n", pool: "p" };
    const given = { command_type: "SparkCommand", language: "sql", sql: "select 1", tags: ["t"], retry: 3 };
    const { body } = await post("/commands", { ...given, ...named, macros: [{ a: "1" }] });
    const shown = { status: "waiting", progress: 0, account_id: 1001, user_id: 11, label: "default", ...named };
    const notYet = { timeout: null, template: null, start_time: null, end_time: null };
    const meta_data = { logs_resource: `commands/${body.id}/logs`, results_resource: `commands/${body.id}/results` };
    expect(body).toMatchObject({ ...shown, ...notYet, meta_data });
  });

  test("an S3DistCp command shows its arguments, including those given as parameters", async () => {
    const { command_type, sub_command, sub_command_args } = copy;
    expect((await post("/commands", copy)).body.command).toEqual({ sub_command, sub_command_args });
    const ends = { src: "s3://a/b", dest: "s3://c/d" };
    const { body } = await post("/commands", { command_type, sub_command, ...ends, deleteOnSuccess: true });
    expect(body.command.sub_command_args).toBe("--src s3://a/b --dest s3://c/d --deleteOnSuccess");
  });

  test("a refresh becomes a Hive command", async () => {
    const { body } = await post("/commands", { ...refresh, loader_stable: "1", loader_stable_mult: "2" });
    const query = expect.stringContaining("recover partitions");
    const command = { loader_table_name: "default.daily_ticks", loader_stable: 1, md_cmd: null, query };
    expect(body).toMatchObject({ command_type: "HiveCommand", status: "waiting", template: "s3import", command });
  });
});

describe("folders", () => {
  test("rename moves the folder and its content", async () => {
    const body = { name: "papers", folder_id: "701", location: "Common/reports", type: "notes" };
    expect((await put("/folders/rename", body)).status).toBe(200);
    const [folder, inside] = account().folders;
    expect(folder).toMatchObject({ name: "papers", location: "Common/papers" });
    expect(inside).toMatchObject({ location: "Common/papers/weekly" });
  });

  test("policy is stored", async () => {
    const elements = [{ access: "deny" }, { access: "allow", action: ["write"], condition: { svc_groups: [204] } }];
    const body = { location: "Common/reports", source_type: "Folder", type: "notes", policy: JSON.stringify(elements) };
    expect((await put("/folders/policy", body)).status).toBe(200);
    expect(account().folders[0]?.policy).toEqual(elements);
  });
});

describe("accounts", () => {
  test("view shows the token's account; keys and role only if it has them", async () => {
    const keys = { id: 1001, storage_secret_key: "analytics-storage-secret" };
    expect((await get("/account")).body).toMatchObject(keys);
    const role = { id: 1002, is_aws_role_enabled: true, external_id: "research-external-id" };
    expect((await get("/account", undefined, "otherAdmin")).body).toMatchObject(role);
  });

  test.each(["account.create", "account.createV2"])("%s returns a token of the new account", async (operation) => {
    const { body } = await as("user", goodCalls[operation]!);
    expect(body).toMatchObject({ state: "success_create", status: "success", groups: ["system-admin", "everyone"] });
    const { account_id: id, authentication_token: token } = body;
    // Part 2.4: a key that was not given is a text too.
    const keys = { id, storage_access_key: "k", storage_secret_key: "s", compute_access_key: "" };
    expect((await get("/account", undefined, token)).body).toMatchObject(keys);
    expect((await post("/whitelist_ip", { ip_cidr: "192.0.2.1" }, token)).status).toBe(200);
    expect((await get("/hive/default", undefined, token)).body).toEqual([]);
    expect([account(id).whitelist.length, account().whitelist.length]).toEqual([1, 1]);
  });

  test.each(["108", "pending1@analytics.example.com", "PENDING1@analytics.example.com"])(
    "enable user %s, who was pending",
    async (svc_user_id) => {
      const listed = async () =>
        Promise.all(
          ["get_users", "get_pending_users"].map(async (list) =>
            JSON.stringify((await get(`/accounts/${list}`)).body).includes("pending1@"),
          ),
        );
      const status = async () => (await get("/account", undefined, "analytics-pending-1")).status;
      expect([await listed(), await status()]).toEqual([[false, true], 401]);
      expect((await post("/accounts/enable_svc_user", { svc_user_id })).status).toBe(200);
      expect([await listed(), await status()]).toEqual([[true, false], 403]);
    },
  );

  test("a disabled user is listed as disabled, and enabled by id", async () => {
    const entry = async () =>
      (await get("/accounts/get_users")).body.users.find((user: { id: number }) => user.id === 107);
    expect(await entry()).toMatchObject({ disabled: true, user_id: 17 });
    await post("/accounts/enable_svc_user", { svc_user_id: "107" });
    expect(await entry()).toMatchObject({ disabled: false });
  });
});

test("a group's role is assigned once, by id or name, grants its permissions and no more, and can be unassigned", async () => {
  const roles = () => account().groups.find(({ id }) => id === 205)?.roles;
  const change = (role: string, what: string) => put(`/groups/205/roles/${role}/${what}`, {});
  const may = async (path: string) => (await get(path, undefined, "operator")).status === 200;
  expect(await may("/whitelist_ip")).toBe(false);
  for (const role of ["account-editor", "302"]) expect((await change(role, "assign")).body).toEqual({ status: "done" });
  expect([roles(), await may("/whitelist_ip"), await may("/commands")]).toEqual([[302], true, false]);
  await change("301", "assign");
  await change("302", "unassign");
  expect([roles(), await may("/whitelist_ip"), await may("/commands")]).toEqual([[301], false, true]);
  await change("analyst", "unassign");
  expect(roles()).toEqual([]);
});

describe("object policies", () => {
  const view = (source_type: string, source_id: string) => get("/object_policy/policy", { source_type, source_id });

  test.each([
    ["note", "501"],
    ["cluster", "511"],
    ["scheduler", "521"],
  ])("set and view %s", async (source_type, source_id) => {
    const policy = [
      { access: "allow", action: ["read", "update"], condition: { svc_users: [102] } },
      { access: "deny", action: ["all"], condition: { svc_users: [102], svc_groups: [204] } },
    ];
    const set = { source_id, source_type, policy: JSON.stringify(policy) };
    expect((await put("/object_policy/policy", set)).status).toBe(200);
    expect((await view(source_type, source_id)).body).toEqual({ source_id, source_type, policy });
  });

  test("view can return an encoded string", async () => {
    await control("POST", "/settings", { viewPolicyAs: "string" });
    expect(JSON.parse((await view("note", "501")).body.policy)).toHaveLength(1);
  });
});
