import { describe, expect, test } from "vitest";
import { copy, putEntry, refusal, testEmulator } from "./calls";

const { get, post, put, remove, account, control } = testEmulator({}, ({ url }) => putEntry(url));

test("whitelist: add returns no id, list shows the text as given, delete accepts a comma-separated list", async () => {
  const added = ["192.0.2.1", "2001:DB8::1", "10.0.0.0/8"];
  for (const address of added)
    expect((await post("/whitelist_ip", { ip_cidr: address })).body).toEqual({
      status: { status_code: 200, message: expect.any(String) },
    });
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
  const add = (names: object) => post("/package/401/add_packages", names);
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
});

test("rename moves the folder and its content", async () => {
  const body = { name: "papers", folder_id: "701", location: "Common/reports", type: "notes" };
  expect((await put("/folders/rename", body)).status).toBe(200);
  const [folder, inside] = account().folders;
  expect(folder).toMatchObject({ name: "papers", location: "Common/papers" });
  expect(inside).toMatchObject({ location: "Common/papers/weekly" });
});

test("an S3DistCp command shows its arguments, including those given as parameters", async () => {
  const { command_type, sub_command, sub_command_args } = copy;
  expect((await post("/commands", copy)).body.command).toEqual({ sub_command, sub_command_args });
  const ends = { src: "s3://a/b", dest: "s3://c/d" };
  const { body } = await post("/commands", { command_type, sub_command, ...ends, deleteOnSuccess: true });
  expect(body.command.sub_command_args).toBe("--src s3://a/b --dest s3://c/d --deleteOnSuccess");
});

const list = (filter: string) => get(`/hive/default?filter=${encodeURIComponent(filter)}`);

/** How long another request waits while the call is in flight. */
async function delayOfOthers(call: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  const under = call();
  await control("GET", "/health");
  const waited = performance.now() - started;
  await under;
  return waited;
}

test("a filter with catastrophic backtracking is rejected, and does not block other requests", async () => {
  // Measured: 28 letters block for 5 s, and each one more doubles that. A busy machine takes its time for the limit too.
  const name = `${"a".repeat(40)}!`;
  await control("PUT", "/state/hiveTables", { schema: "default", name, columns: [] });
  expect(await delayOfOthers(() => list("(a+)+$"))).toBeLessThan(100_000);
  expect(await list("(a+)+$")).toMatchObject({ status: 422, body: refusal(422, /^filter: .*more than 1000 ms/) });
  expect((await list("^c")).body).toEqual(["customers"]);
}, 200_000);
