import { beforeEach, describe, expect, test } from "vitest";
import { refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { get, put, remove, addDataStore, account, control } = testEmulator({ extended: true, clock: "manual" });

const gateway = { gateway_ip: "192.0.2.1", gateway_username: "g", gateway_private_key: "k" };

describe("pages", () => {
  beforeEach(async () => {
    for (let index = 0; index < 12; index += 1) await addDataStore({ db_name: `db${index}` });
  });

  test.each([
    ["?page=3", /^Page number: 3 is out of bounds\.$/],
    ["?page=4&per_page=4", /^Page number: 4 is out of bounds\.$/],
    ["?page=0", /page/],
    ["?per_page=x", /per_page/],
    ["?size=3", /size/],
  ])("%s is refused", async (query, message) => {
    expect(await get(`/db_taps${query}`)).toMatchObject({ status: 422, body: refusal(422, message) });
  });
});

describe("edit", () => {
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
    [{}, { wings: 2 }, /wings/],
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
