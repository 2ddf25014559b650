import { beforeEach, describe, expect, test } from "vitest";
import { refusal, testEmulator } from "./calls";

const { emulator, get, post, put, remove, addDataStore, account, control } = testEmulator({
  clock: "manual",
  extended: true,
});

const versions = [
  ["v1.2", "/api/v1.2/account", "acc_key", "secret"],
  ["v2", "/api/v2/accounts", "storage_access_key", "storage_secret_key"],
] as const;

describe.each(versions)("editing an account, %s", (version, path, accessKey, secretKey) => {
  const edit = (body: object, alias?: string) => put(path, body, alias);
  const compute = { compute_type: "CUSTOMER_MANAGED", compute_access_key: "ca", compute_secret_key: "cs" };
  const storage = { [accessKey]: "sa", [secretKey]: "ss", defloc: "s3://new/place" };

  test("changes the storage and compute settings, which the view shows", async () => {
    expect((await edit({ ...compute, ...storage, notification_email_list: "a@example.com" })).status).toBe(200);
    expect(account().notification_email_list).toBe("a@example.com");
    expect((await get(path)).body).toMatchObject({
      name: "Analytics",
      compute_access_key: "ca",
      compute_secret_key: "cs",
      storage_access_key: "sa",
      storage_secret_key: "ss",
      storage_location: "s3://new/place",
      is_aws_role_enabled: false,
    });
  });

  test("switches to a role and back to keys", async () => {
    expect((await edit({ access_mode: "IAM_ROLES", role_arn: "arn:new" })).status).toBe(200);
    const byRole = (await get(path)).body;
    expect(byRole).toMatchObject({ is_aws_role_enabled: true, role_arn: "arn:new", external_id: expect.any(String) });
    expect((await edit({ defloc: "s3://by/role" })).status).toBe(200);
    expect((await edit({ role_arn: "arn:newer" })).status).toBe(200);
    expect(account()).toMatchObject({ role_arn: "arn:newer", external_id: byRole.external_id });
    expect((await edit({ access_mode: "IAM_KEYS", ...compute, ...storage })).status).toBe(200);
    expect((await get(path)).body).not.toHaveProperty("role_arn");
  });

  const incomplete: [string, object, RegExp][] = [
    ["compute keys without the type", { compute_access_key: "a", compute_secret_key: "b" }, /compute_type/],
    ["a compute type without keys", { compute_type: "CUSTOMER_MANAGED" }, /compute_access_key, compute_secret_key/],
    ["half of the compute keys", { ...compute, compute_secret_key: undefined }, /compute_secret_key/],
    ["storage keys without defloc", { ...storage, defloc: undefined }, /defloc/],
    ["defloc without storage keys", { defloc: "s3://x" }, new RegExp(`${accessKey}, ${secretKey}`)],
    ["a role without its ARN", { access_mode: "IAM_ROLES" }, /role_arn/],
    ["an ARN for keys", { role_arn: "arn:x" }, /role_arn/],
    ["another access mode", { access_mode: "NONE" }, /access_mode/],
    ["another compute type", { ...compute, compute_type: "OTHER" }, /compute_type/],
    ["an empty key", { ...compute, compute_access_key: "" }, /compute_access_key/],
    ["a field of a creation", { name: "New" }, /name/],
    ["the other version's keys", { [version === "v2" ? "secret" : "storage_secret_key"]: "x" }, /secret/],
  ];
  test.each(incomplete)("%s is rejected", async (_title, body, message) => {
    const before = account();
    expect(await edit(body)).toMatchObject({ status: 422, body: refusal(422, message) });
    expect(account()).toEqual(before);
  });

  test("the fields of a creation keep their limits", async () => {
    emulator.setReadings({ accountEditFields: "create-fields" });
    const change = { idle_session_timeout: 60, idle_cluster_timeout: 3, CacheQuotaSizeInGB: 50 };
    expect((await edit({ ...change, idle_cluster_timeout_in_secs: 600 })).status).toBe(200);
    expect(account()).toMatchObject({
      idle_session_timeout: 60,
      idle_cluster_timeout: 3,
      idle_cluster_timeout_in_secs: 600,
      cache_quota_size_in_gb: 50,
    });
    expect((await edit({ idle_session_timeout: 10801 })).status).toBe(422);
    expect((await edit({ idle_cluster_timeout_in_secs: 600 }, "otherAdmin")).status).toBe(422);
  });
});

test.each(["/whitelist_ip", "/api/v2/accounts/whitelist_ip"])(
  "%s: a description has at most 255 characters",
  async (path) => {
    const add = (length: number) => post(path, { ip_cidr: "192.0.2.1", description: "d".repeat(length) });
    expect(await add(256)).toMatchObject({ status: 422, body: refusal(422, /description/) });
    expect((await add(255)).status).toBe(200);
  },
);

test("a disabled user is refused from then on, until enabled again", async () => {
  const status = async () => (await get("/account", undefined, "operator")).status;
  expect(await status(), "known, without the permission").toBe(403);
  await post("/accounts/disable_svc_user", { svc_user_id: "OPERATOR@analytics.example.com" });
  expect(await status()).toBe(401);
  await post("/accounts/enable_svc_user", { svc_user_id: "105" });
  expect(await status()).toBe(403);
});

const gateway = { gateway_ip: "192.0.2.1", gateway_username: "g", gateway_private_key: "k" };

describe("pages of data stores", () => {
  beforeEach(async () => {
    for (let index = 0; index < 12; index += 1) await addDataStore({ db_name: `db${index}` });
  });

  test.each([
    ["?page=3", /^Page number: 3 is out of bounds\.$/],
    ["?page=4&per_page=4", /^Page number: 4 is out of bounds\.$/],
    ["?page=0", /page/],
    ["?per_page=x", /per_page/],
  ])("%s is refused", async (query, message) => {
    expect(await get(`/db_taps${query}`)).toMatchObject({ status: 422, body: refusal(422, message) });
  });
});

describe("editing a data store", () => {
  test("a gateway is added, changed and removed", async () => {
    const id = await addDataStore();
    expect((await put(`/db_taps/${id}`, { ...gateway, db_location: "on-premise" })).status).toBe(200);
    expect(account().dataStores[0]).toMatchObject({ ...gateway, gateway_port: 22 });
    expect((await put(`/db_taps/${id}`, { gateway_port: 2222 })).status).toBe(200);
    const none = { gateway_ip: null, gateway_username: null, gateway_private_key: null };
    expect((await put(`/db_taps/${id}`, { ...none, db_location: "eu-west-1" })).status).toBe(200);
    expect(account().dataStores[0]).toMatchObject({ ...none, gateway_port: null, db_location: "eu-west-1" });
  });

  test.each([
    [{}, { db_type: "oracle" }, /db_type/],
    [{}, { port: 0 }, /port/],
    [{}, { db_host: "" }, /db_host/],
    [{}, { gateway_ip: "192.0.2.1" }, /on-premise/],
    [{ db_location: "on-premise" }, { gateway_ip: "192.0.2.1" }, /gateway_username: is required/],
    [{ ...gateway, db_location: "on-premise" }, { db_location: "us-west-2" }, /on-premise/],
    [{ ...gateway, db_location: "on-premise" }, { gateway_username: null }, /gateway_username: is required/],
    [{ catalog_name: "shop" }, { db_type: "mongo" }, /catalog_name/],
    [{}, { db_host: "unreachable.example.com" }, /cannot connect/],
  ])("%j cannot be changed by %j", async (created, edit, message) => {
    const id = await addDataStore(created);
    const before = account().dataStores;
    expect(await put(`/db_taps/${id}`, edit)).toMatchObject({ status: 422, body: refusal(422, message) });
    expect(account().dataStores).toEqual(before);
  });

  test("the check of the host can be left out", async () => {
    const id = await addDataStore();
    const edit = { db_host: "unreachable.example.com", skip_validation: true };
    expect((await put(`/db_taps/${id}`, edit)).status).toBe(200);
    expect(account().dataStores[0]).not.toHaveProperty("skip_validation");
    expect(await get(`/db_taps/${id}/tables`)).toMatchObject({ status: 422, body: refusal(422, /cannot connect/) });
  });
});

test.each(["9999", "shop", "1e3"])("there is no data store %s", async (id) => {
  await addDataStore({ name: "shop" });
  const path = `/db_taps/${id}`;
  for (const reply of [await get(path), await put(path, {}), await remove(path), await get(`${path}/tables`)])
    expect(reply).toMatchObject({ status: 404, body: refusal(404, new RegExp(`no data store ${id}`)) });
});

test("tables are made up, or those of the record", async () => {
  const id = await addDataStore();
  expect((await get(`/db_taps/${id}/tables`)).body).toEqual(["shop_customers", "shop_orders"]);
  await control("PUT", "/state/dataStores", { ...account().dataStores[0], tables: ["a", "b"] });
  expect((await get(`/db_taps/${id}/tables`)).body).toEqual(["a", "b"]);
});
