import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SecondPlatform, startSecondPlatform } from ".";
import { api, at, Tester } from "./probes/tester";

let platform: SecondPlatform;
let t: Tester;

beforeEach(async () => {
  platform = await startSecondPlatform();
  t = new Tester(platform);
});
afterEach(() => t.close());

const spark = { command_type: "SparkCommand", language: "python", program: "print(1)" };
const element = { access: "allow", action: ["read"], condition: { svc_users: [14], svc_groups: [4] } };
const policyText = JSON.stringify([element]);

describe("whitelist", () => {
  it("adds, lists and deletes in the caller's account only", async () => {
    expect((await t.post(api.whitelist, { ip_cidr: "192.0.2.5" })).json).toEqual({
      status: { status_code: 200, message: "IP added" },
    });
    const list = at((await t.get(api.whitelist)).json, "account_whitelisted_ips") as Record<string, unknown>[];
    expect(list.map((one) => one["id"])).toEqual([1, 2, 3, 4]);
    expect(list[3]).toMatchObject({ id: 4, account_id: 101, ip_cidr: "192.0.2.5" });
    expect(list[3]?.["created_at"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect((await t.delete(`${api.whitelist}/1,2`)).status).toBe(200);
    const left = platform.state().whitelist.map((one) => `${one.accountId}:${one.id}`);
    expect(left).toEqual(["101:3", "202:1", "202:2", "101:4"]);
  });

  it("rejects invalid addresses", async () => {
    for (const ip of ["", "10.0.0.0/8", "300.1.1.1", "example.com", "fe80::1%eth0"])
      expect((await t.post(api.whitelist, { ip_cidr: ip })).status, ip).toBe(422);
    expect((await t.post(api.whitelist, {})).status).toBe(422);
  });
});

describe("commands", () => {
  it("answers a Spark submission with a command object and lists it", async () => {
    const sent = {
      ...spark,
      name: "job",
      tags: ["a", "b"],
      label: "spark",
      timeout: 80,
      macros: [{ x: "1" }],
      retry: 2,
    };
    const reply = await t.post(api.commands, sent);
    expect(reply.json).toMatchObject({
      id: 5001,
      account_id: 101,
      user_id: 1001,
      status: "waiting",
      progress: 0,
      start_time: null,
      timeout: 80,
      label: "spark",
      meta_data: { logs_resource: "commands/5001/logs", results_resource: "commands/5001/results" },
    });
    const query = { include_query_properties: "true" };
    const page = (await t.get(api.commands, { query })).json;
    expect(at(page, "commands", 0)).toMatchObject({ id: 5001, tags: ["a", "b"], name: "job" });
    expect((await t.get("/api/v1/commands", { query })).json).toEqual(page);
    expect((await t.send("GET", api.commands, { include_query_properties: true })).json).toEqual(page);
  });

  it("enforces the limits of part 8", async () => {
    const bad = [
      { name: "n".repeat(256) },
      ...[..."&<>\"'"].map((c) => ({ name: `a${c}b` })),
      { tags: ["t".repeat(256)] },
      { tags: "one" },
      { retry: 0 },
      { retry: 4 },
      { language: "Python" },
      { macros: { a: "1" } },
      { cmdline: "spark-submit x" },
      { timeout: "80" },
    ];
    for (const more of bad)
      expect((await t.post(api.commands, { ...spark, ...more })).status, JSON.stringify(more)).toBe(422);
    expect(platform.state().commands).toHaveLength(5);
  });

  it("accepts S3DistCp and refresh commands", async () => {
    const copy = {
      command_type: "HadoopCommand",
      sub_command: "s3distcp",
      sub_command_args: "--src s3://a/x --dest s3://b/y",
    };
    expect((await t.post("/api/v1.2/commands", copy)).json).toMatchObject({
      command: { sub_command: "s3distcp", sub_command_args: copy.sub_command_args },
      command_type: "HadoopCommand",
    });
    for (const args of ["--src s3://a_b/x", "--srcPattern a --groupBy '(b)'", "--outputCodec zip"])
      expect((await t.post(api.commands, { ...copy, sub_command_args: args })).status, args).toBe(422);
    const refresh = { template: "s3import", db_name: "sales", hive_table: "daily", loader_stable: "1" };
    expect((await t.post(api.commands, refresh)).json).toMatchObject({
      command_type: "HiveCommand",
      template: "s3import",
      uid: 1001,
      command: {
        loader_table_name: "sales.daily",
        loader_stable: 1,
        query: expect.stringContaining("recover partitions"),
      },
    });
  });

  it("pages the history, by user and by date", async () => {
    const ids = async (query: Record<string, string>) =>
      (at((await t.get(api.commands, { query })).json, "commands") as { id: number }[]).map((one) => one.id);
    expect(await ids({})).toEqual([4004, 4002]);
    expect(await ids({ all_users: "1" })).toEqual([4004, 4003, 4002]);
    expect(await ids({ start_date: "2020-01-01" })).toEqual([4004, 4002, 4001]);
    expect(await ids({ page: "2", per_page: "1" })).toEqual([4002]);
    expect(at((await t.get(api.commands, { query: { per_page: "1" } })).json, "paging_info")).toEqual({
      previous_page: null,
      next_page: 2,
      per_page: 1,
    });
  });
});

describe("data stores, catalog and sensors", () => {
  it("creates a data store and enforces the gateway rules", async () => {
    const reply = await t.post(api.stores, { db_name: "d", db_host: "h", db_user: "u", db_passwd: "p" });
    expect(reply.json).toMatchObject({
      id: 302,
      account_id: 101,
      active: true,
      name: "h-d",
      db_type: "mysql",
      port: null,
    });
    const gateway = { gateway_ip: "192.0.2.9", gateway_username: "g", gateway_private_key: "k" };
    const status = async (body: Record<string, unknown>) => (await t.post(api.stores, body)).status;
    expect(await status({ ...gateway, db_location: "on-premise" })).toBe(200);
    expect(await status({ ...gateway, db_location: "us-east-1" })).toBe(422);
    expect(await status({ gateway_ip: "192.0.2.9", db_location: "on-premise" })).toBe(422);
    expect(await status({ catalog_name: "Upper" })).toBe(422);
    expect(await status({ catalog_name: "cat", db_type: "mongo" })).toBe(422);
    expect(await status({ db_type: "oracle" })).toBe(422);
    expect(await status({ db_location: "moon" })).toBe(422);
  });

  it("lists Hive tables", async () => {
    expect((await t.get(api.hive)).json).toEqual(["Order_events", "customers", "orders"]);
    const described = (await t.get(api.hive, { query: { filter: "^cust", describe: "true" } })).json;
    expect(described).toEqual([{ customers: { columns: expect.arrayContaining([{ name: "id", type: "bigint" }]) } }]);
  });

  it("answers sensors on both paths", async () => {
    const ask = (values: unknown, path = api.sensor) =>
      t.post(path, { schema: "default", table: "orders", columns: [{ column: "dt", values }] });
    expect((await ask(["2024-01-01"])).json).toEqual({ status: "true" });
    expect((await ask("[2024-01-01,'2024-01-02']", api.sensorExamples)).json).toEqual({ status: "true" });
    expect((await ask(["1999-01-01"])).json).toEqual({ status: "false" });
    const absent = await t.post(api.sensor, { schema: "default", table: "nope", columns: [] });
    expect(absent.status).toBe(422);
    expect(at(absent.json, "error", "error_code")).toBe(422);
  });
});

describe("packages, folders, policies and roles", () => {
  it("adds and removes packages", async () => {
    const names = () => platform.state().environments[0]?.packages.map((one) => `${one.source} ${one.name}`);
    expect(
      (await t.post(api.addPackages, { source_type: "python_package", package_names: "scipy,polars==1.0" })).status,
    ).toBe(200);
    const repo = JSON.stringify([{ name: "ggplot2", repo_url: "https://cran.example" }]);
    expect((await t.post(api.addPackages, { source_type: "r_package", repo_packages: repo })).status).toBe(200);
    expect((await t.delete(api.removePackages, { source_type: "r_package", package_names: "dplyr" })).status).toBe(200);
    expect(names()).toEqual(
      ["numpy", "pandas", "scipy", "polars"].map((n) => `python_package ${n}`).concat("r_package ggplot2"),
    );
    expect((await t.post(api.addPackages, { package_names: "x" })).status).toBe(422);
    expect(
      (await t.post("/api/v1.2/package/7/add_packages", { source_type: "r_package", package_names: "x" })).status,
    ).toBe(404);
  });

  it("renames a folder with its content, and sets its policy", async () => {
    const body = { name: "figures", folder_id: "31", location: "Common/reports", type: "notes" };
    expect((await t.put(api.rename, body)).status).toBe(200);
    const places = platform.state().folders.map((one) => one.location);
    expect(places.slice(0, 4)).toEqual(["Common/figures", "Common/archive", "Common/figures/2024", "Common/reports"]);
    const policy = { location: "Common/archive", source_type: "Folder", type: "notes", policy: policyText };
    expect((await t.put(api.folderPolicy, policy)).status).toBe(200);
    expect(platform.state().folders[1]?.policy).toEqual([element]);
    expect((await t.put(api.folderPolicy, { ...policy, policy: [element] })).status).toBe(422);
    expect((await t.put(api.folderPolicy, { ...policy, policy: '[{"access":"deny"}]' })).status).toBe(200);
  });

  it("sets and views object policies", async () => {
    for (const [id, type] of [
      ["501", "note"],
      ["602", "cluster"],
      ["702", "scheduler"],
    ] as const) {
      const object = { source_id: id, source_type: type };
      expect((await t.put(api.policy, { ...object, policy: policyText })).status).toBe(200);
      expect((await t.send("GET", api.policy, object)).json).toEqual([element]);
    }
    expect((await t.send("GET", api.policy, { source_id: "601", source_type: "note" })).json).toEqual([]);
    for (const wrong of [{ access: "maybe" }, { ...element, action: ["write"] }, { ...element, condition: [] }]) {
      const body = { source_id: "501", source_type: "note", policy: JSON.stringify([wrong]) };
      expect((await t.put(api.policy, body)).status, body.policy).toBe(422);
    }
  });

  it("assigns and unassigns roles by id or name", async () => {
    expect((await t.put(api.role(6, 2, "assign"), {})).json).toEqual({ status: "done" });
    expect((await t.put(api.role(6, "data%20engineer", "unassign"), {})).json).toEqual({ status: "done" });
    expect((await t.put(api.role(6, "etl%2Fnightly", "assign"), {})).status).toBe(200);
    expect(platform.state().groups[5]?.roles).toEqual([3]);
    expect((await t.put(api.role(6, "foreign-role", "assign"), {})).status).toBe(404);
    expect((await t.put(api.role(99, 1, "assign"), {})).status).toBe(404);
  });
});

describe("accounts and users", () => {
  it("creates an account in both versions, and its token can view it", async () => {
    const account = {
      name: "sub",
      compute_type: "CUSTOMER_MANAGED",
      storage_type: "CUSTOMER_MANAGED",
      defloc: "s3://b/p",
    };
    const first = await t.post(api.createAccount, { account: { ...account, acc_key: "K1", secret: "S1" } });
    const keys = { storage_access_key: "K2", storage_secret_key: "S2" };
    const second = await t.post(api.createAccount2, { account: { ...account, ...keys } });
    for (const [reply, key] of [
      [first, "K1"],
      [second, "K2"],
    ] as const) {
      expect(reply.json).toMatchObject({ name: "sub", state: "success_create", status: "success" });
      const token = at(reply.json, "authentication_token") as string;
      const view = (await t.get(api.account, { token })).json;
      expect(view).toMatchObject({ name: "sub", storage_location: "s3://b/p", storage_access_key: key });
    }
    const bad = [
      { level: "gold" },
      { compute_type: "OTHER" },
      { idle_cluster_timeout: 7 },
      { idle_session_timeout: 10801 },
    ];
    for (const more of [...bad, { aws_region: "mars" }, { idle_cluster_timeout_in_secs: 299 }])
      expect((await t.post(api.createAccount, { account: { ...account, ...more } })).status).toBe(422);
  });

  it("lists users and enables one by id or e-mail", async () => {
    const ids = (at((await t.get(api.users)).json, "users") as { id: number }[]).map((one) => one.id);
    expect(ids).toEqual([11, 12, 13, 14, 15, 16, 17, 20, 21]);
    expect(at((await t.get(api.pending)).json, "pending_users")).toHaveLength(2);
    expect(at((await t.get(api.emails)).json, "emails")).toContain("Ana.Lyst@acme.example");
    await t.post(api.enable, { svc_user_id: "15" });
    await t.post(api.enable, { svc_user_id: "dirk.disabled@acme.example" });
    const still = platform.state().users.filter((one) => one.state === "disabled");
    expect(still.map((one) => one.id)).toEqual([17, 52]);
    expect((await t.post(api.enable, { svc_user_id: "52" })).status).toBe(404);
  });
});
