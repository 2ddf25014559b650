import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { routes } from "../../../emulator/routes";
import { type Call, copy, emulate, goodCalls, putEntry, refresh, send } from "./calls";

let emulator: Emulator;

beforeAll(async () => {
  emulator = await emulate();
});
beforeEach(async () => {
  emulator.reset();
  await putEntry(emulator.url);
});
afterAll(() => emulator.close());

const call = (path: string, body?: unknown, method: Call["method"] = "GET", token = emulator.tokens.admin) =>
  send(emulator.url, token, { method, path, body });

const account = (id = 1001) => emulator.state({ secrets: true }).accounts.find((known) => known.id === id)!;

describe("every operation", () => {
  test("has a valid call here", () => {
    expect(Object.keys(goodCalls).sort()).toEqual(routes.map(({ operation }) => operation).sort());
  });

  const cases = Object.entries(goodCalls).flatMap(([operation, good]) => {
    const route = routes.find((known) => known.operation === operation)!;
    return [good.path, `${good.path}/`].map((path) => ({ operation, route, good: { ...good, path } }));
  });
  test.each(cases)("$operation at $good.path matches its answer schema", async ({ route, good }) => {
    const reply = await send(emulator.url, emulator.tokens.admin, good);
    expect(reply.body).not.toHaveProperty("error");
    expect(reply.status).toBe(200);
    expect(reply.headers["content-type"]).toMatch(/^application\/json/);
    route.answer.parse(reply.body);
  });
});

describe("whitelist", () => {
  test("add returns no id, list shows the text as given, delete accepts a comma-separated list", async () => {
    for (const ip_cidr of ["192.0.2.1", "2001:DB8::1", "10.0.0.0/8"]) {
      const added = await call("/api/v1.2/whitelist_ip", { ip_cidr }, "POST");
      expect(added.body).toEqual({ status: { status_code: 200, message: expect.any(String) } });
    }
    const { body } = await call("/api/v1.2/whitelist_ip");
    const entries = body.account_whitelisted_ips.slice(1);
    expect(entries.map((entry: { ip_cidr: string }) => entry.ip_cidr)).toEqual([
      "192.0.2.1",
      "2001:DB8::1",
      "10.0.0.0/8",
    ]);
    expect(entries[0]).toEqual({
      id: expect.any(Number),
      account_id: 1001,
      ip_cidr: "192.0.2.1",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: expect.any(String),
    });
    const ids = body.account_whitelisted_ips.map(({ id }: { id: number }) => id);
    expect((await call(`/api/v1.2/whitelist_ip/${ids.join(",")}`, undefined, "DELETE")).body.status.status_code).toBe(
      200,
    );
    expect((await call("/api/v1.2/whitelist_ip")).body).toEqual({ account_whitelisted_ips: [] });
  });

  test("ids are not reused", async () => {
    const add = async () => {
      await call("/api/v1.2/whitelist_ip", { ip_cidr: "192.0.2.1" }, "POST");
      return account().whitelist.at(-1)!.id;
    };
    const first = await add();
    await call(`/api/v1.2/whitelist_ip/${first}`, undefined, "DELETE");
    expect(await add()).toBeGreaterThan(first);
  });

  test("a list with an unknown id deletes nothing", async () => {
    expect((await call("/api/v1.2/whitelist_ip/50,999", undefined, "DELETE")).status).toBe(404);
    expect(account().whitelist).toHaveLength(1);
  });
});

describe("data stores", () => {
  test("fill in the defaults and keep the password", async () => {
    const given = { db_name: "shop", db_host: "db.example.com", db_user: "u", db_passwd: "pass-123" };
    const { body } = await call("/api/v1.2/db_taps/", given, "POST");
    expect(body).toMatchObject({
      account_id: 1001,
      user_id: 11,
      active: true,
      name: "db.example.com-shop",
      db_type: "mysql",
      port: null,
    });
    expect(account().dataStores).toMatchObject([{ db_passwd: "pass-123", gateway_port: null }]);
  });

  test("a gateway's default port is 22", async () => {
    const gateway = { gateway_ip: "192.0.2.9", gateway_username: "g", gateway_private_key: "key-text" };
    const given = { db_name: "a", db_host: "b", db_location: "on-premise", ...gateway };
    const { body } = await call("/api/v1.2/db_taps/", given, "POST");
    expect(body).not.toHaveProperty("gateway_private_key");
    // Part 2.3: only the port may be null.
    expect(body).toMatchObject({ db_user: "", db_passwd: "" });
    expect(account().dataStores).toMatchObject([{ gateway_port: 22, gateway_private_key: "key-text" }]);
  });

  test("skip_validation allows an unreachable host", async () => {
    const given = { db_name: "a", db_host: "unreachable.example.com" };
    expect((await call("/api/v1.2/db_taps", given, "POST")).status).toBe(422);
    expect((await call("/api/v1.2/db_taps", { ...given, skip_validation: true }, "POST")).status).toBe(200);
  });
});

describe("Hive", () => {
  test.each([
    ["", ["daily_ticks", "page_views", "customers"]],
    ["?filter=s$", ["daily_ticks", "page_views", "customers"]],
    ["?filter=^c", ["customers"]],
    ["?filter=nothing", []],
    [
      "?filter=^c&describe=true",
      [
        {
          customers: {
            columns: [
              { name: "id", type: "int" },
              { name: "email", type: "string" },
            ],
          },
        },
      ],
    ],
  ])("list %s", async (query, expected) => {
    expect((await call(`/api/v1.2/hive/default/${query}`)).body).toEqual(expected);
  });

  const days = (values: unknown) => ({ schema: "default", table: "daily_ticks", columns: [{ column: "dt", values }] });
  test.each([
    [days(["2024-01-01"]), "true"],
    [days(["2024-01-01", "2024-01-02"]), "true"],
    [days(["2024-01-01", "2031-01-01"]), "false"],
    [days("[2024-01-01, 2024-01-02]"), "true"],
    [days('["2024-01-01", "2031-01-02"]'), "false"],
    [
      {
        schema: "events",
        table: "clicks",
        columns: [
          { column: "dt", values: ["2024-02-01"] },
          { column: "hour", values: [0, 1] },
        ],
      },
      "true",
    ],
    [
      {
        schema: "default",
        table: "page_views",
        columns: [
          { column: "country", values: ["de", "fr"] },
          { column: "dt", values: ["2024-01-02"] },
        ],
      },
      "false",
    ],
    [{ schema: "default", table: "customers" }, "true"],
  ])("sensor %j returns %s on both paths", async (body, status) => {
    for (const path of ["/api/v1.2/partition_sensor", "/api/v1.2/sensors/partition_sensor"])
      expect(await call(path, body, "POST")).toMatchObject({ status: 200, body: { status } });
  });
});

describe("packages", () => {
  const add = (body: object, id = 401) => call(`/api/v1.2/package/${id}/add_packages`, body, "POST");
  const python = () => account().environments.find(({ id }) => id === 401)!.python_package;

  test("add, change and remove", async () => {
    await add({ source_type: "python_package", package_names: "scipy==1.12.0, requests" });
    expect(python()).toMatchObject({
      numpy: "1.26.4",
      scipy: "1.12.0",
      requests: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    // A bare name is the latest version, also of what is installed.
    await add({ source_type: "python_package", package_names: "scipy" });
    expect(python()["scipy"]).not.toBe("1.12.0");
    await add({ source_type: "python_package", package_names: "numpy==2.0.0" });
    expect(python()).toMatchObject({ numpy: "2.0.0" });
    const gone = { source_type: "python_package", package_names: "numpy,pandas==9.9,never-there" };
    const { body } = await call("/api/v1.2/package/401/remove_packages", gone, "DELETE");
    expect(body.packages).toEqual(["numpy==2.0.0"]);
    expect(Object.keys(python()).sort()).toEqual(["pandas", "requests", "scipy"]);
  });

  test("R packages from a repository", async () => {
    const repo_packages = JSON.stringify([{ name: "dplyr", repo_url: "https://cran.example.com" }]);
    expect((await add({ source_type: "r_package", repo_packages }, 402)).status).toBe(200);
    expect(account().environments[1]?.r_package).toHaveProperty("dplyr");
  });
});

describe("commands", () => {
  test("a Spark command object has every field", async () => {
    const given = {
      command_type: "SparkCommand",
      language: "sql",
      sql: "select 1",
      name: "n",
      tags: ["t"],
      retry: 3,
      pool: "p",
      macros: [{ a: "1" }],
    };
    const { body } = await call("/api/v1.2/commands/", given, "POST");
    expect(body).toMatchObject({
      status: "waiting",
      progress: 0,
      account_id: 1001,
      user_id: 11,
      label: "default",
      name: "n",
      pool: "p",
      // Not submitted, so there is nothing to repeat.
      timeout: null,
      template: null,
      start_time: null,
      end_time: null,
      meta_data: { logs_resource: `commands/${body.id}/logs`, results_resource: `commands/${body.id}/results` },
    });
  });

  test("an S3DistCp command shows its arguments, including those given as parameters", async () => {
    const plain = await call("/api/v1.2/commands", copy, "POST");
    expect(plain.body.command).toEqual({ sub_command: "s3distcp", sub_command_args: copy.sub_command_args });
    const given = {
      command_type: "HadoopCommand",
      sub_command: "s3distcp",
      src: "s3://a/b",
      dest: "s3://c/d",
      deleteOnSuccess: true,
    };
    const { body } = await call("/api/v1.2/commands", given, "POST");
    expect(body.command.sub_command_args).toBe("--src s3://a/b --dest s3://c/d --deleteOnSuccess");
  });

  test("a refresh becomes a Hive command", async () => {
    const { body } = await call(
      "/api/v1.2/commands",
      { ...refresh, loader_stable: "1", loader_stable_mult: "2" },
      "POST",
    );
    expect(body).toMatchObject({
      command_type: "HiveCommand",
      status: "waiting",
      template: "s3import",
      command: {
        loader_table_name: "default.daily_ticks",
        loader_stable: 1,
        md_cmd: null,
        query: expect.stringContaining("recover partitions"),
      },
    });
  });
});
