import { describe, expect, test } from "vitest";
import { Declarations } from "../../../provider/core/declarations";
import { unknownValue } from "../../../provider/core/engine-values";
import { dataStore } from "../../../provider/resources/data-store";
import {
  extendedArgs as args,
  behindGateway,
  full,
  extendedGateway as gateway,
  minimal,
  storesIn,
} from "../../cases/data-store";
import { answers, freshEmulator, ownEmulator, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";

const emulator = freshEmulator({ extended: true });
const stores = (platform = emulator) => storesIn(platform.state({ secrets: true }));
const off = () => inProcess(dataStore, emulator);
const open = (options: Parameters<typeof inProcess>[2] = {}) =>
  inProcess(dataStore, emulator, { extended: true, ...options });

test("cross-property rules wait for unknown values", () => {
  const check = (inputs: object) => off().life.check({ ...inputs }).failures;
  expect(check({ ...behindGateway, dbLocation: unknownValue })).toEqual([]);
  expect(check({ ...behindGateway, gatewayIp: unknownValue })).toEqual([]);
  expect(check({ ...minimal, dbType: unknownValue, catalogName: "sales" })).toEqual([]);
});

test("an explicit default is not a change; any change except skipValidation replaces it", () => {
  const { life } = off();
  expect(life.diff(minimal, { ...minimal, dbType: "mysql", skipValidation: false }).changed).toEqual([]);
  const { changed, replaces } = life.diff(full, { ...behindGateway, port: 1, skipValidation: true });
  expect(changed).toEqual([...replaces, "skipValidation"]);
});

test("where names are unique, a replacement says who has the name", async () => {
  answers(emulator, "dbTaps.create", 422, { errors: { name: ["has already been taken"] } });
  const says = /already been taken.*The data store that this one replaces has that name/;
  await expect(off().life.create(minimal)).rejects.toThrow(says);
});

describe("DataStore with the extended API", () => {
  test("a change sends only what changes, and the password only then", async () => {
    const { life, id, state } = await createdBy(open(), args);
    emulator.clearRequests();
    const renamed = await life.update(id, state, { ...args, name: "sales-2" });
    const edits = emulator.requests().requests.filter(({ method }) => method === "PUT");
    expect(edits.map(({ body }) => body)).toEqual([{ name: "sales-2", skip_validation: true }]);
    expect(renamed.state).toMatchObject({ name: "sales-2", assignedName: "sales-2" });
    await life.update(id, renamed.state, { ...args, name: "sales-2", dbPasswd: "rotated" });
    expect(stores()).toMatchObject([{ name: "sales-2", db_passwd: "rotated" }]);
  });

  test("removed inputs are emptied, except those with a default of the platform's own", async () => {
    const { life, id, state } = await createdBy(open(), { ...gateway, port: 5433 });
    const { dbUser: _, ...rest } = args;
    await life.update(id, state, rest);
    expect(stores()).toMatchObject([{ db_user: "", port: null, gateway_ip: null, name: "sales" }]);
  });

  test.each(["reset-after", "truncated"] as const)(
    "a create whose answer is lost (%s) is found in the list, and sent once",
    async (kind) => {
      const { life } = open();
      await life.create({ ...args, name: "another" });
      emulator.setFaults({ rules: [{ operation: "dbTaps.create", nth: 1, kind }] });
      const { id } = await life.create(args);
      expect(stores().map(({ name }) => name)).toEqual(["another", "sales"]);
      expect(id).toBe(String(stores()[1]!.id));
    },
  );

  test("one that the platform does not find, although it lists it, tells nothing about others", async () => {
    const { life, said } = open();
    const [one, other] = [await life.create(args), await life.create({ ...args, name: "another" })];
    answers(emulator, "dbTaps.delete", 404, { error: { error_code: 404, error_message: "no such data store" } });
    await life.delete(one.id, one.state);
    emulator.clearFaults();
    await life.delete(other.id, other.state);
    expect(stores().map(({ id }) => String(id))).toEqual([one.id]);
    expect(said.warnings.join()).toContain(`data store ${one.id}`);
  });

  test.each([{ deleted: true }, { status: "deleted" }, { deleted_at: "2024-05-01T10:00:00Z" }])(
    "one that is shown as %j is gone",
    async (mark) => {
      const { life, id, state } = await createdBy(open(), args);
      const marked = { ...stores()[0], ...mark };
      answers(emulator, "dbTaps.view", 200, marked);
      expect(await life.read(id, state)).toBeUndefined();
      const list = { operation: "dbTaps.list", kind: "respond", status: 200, body: { db_taps: [marked] } } as const;
      emulator.setFaults({ rules: [list, { ...list, operation: "dbTaps.view", status: 405, body: {} }] });
      expect(await life.read(id, state)).toBeUndefined();
    },
  );

  test.each([{ status: 404, error: "Couldn't find DbTap" }, "not found"])(
    "one that was removed by hand is gone, and nothing is said of the installation: %j",
    async (body) => {
      const { id, state } = await open().life.create(args);
      await request(emulator, "DELETE", `/api/v1.2/db_taps/${id}`);
      answers(emulator, ["dbTaps.view", "dbTaps.delete"], 404, body);
      const { life, said } = open();
      expect(await life.read(id, state)).toBeUndefined();
      await life.delete(id, state);
      expect(said.warnings).toEqual([]);
    },
  );

  test("a leftover of an interrupted run is named instead of creating a second one", async () => {
    emulator.setReadings({ dataStoreViewName: "shown" });
    const { id } = await open().life.create(args);
    const exists = `data store ${id} for ${args.dbName} on ${args.dbHost} already exists, so no other one was created`;
    const preview = open();
    await preview.life.foresee(undefined, args);
    await preview.life.foresee(undefined, { ...args, dbName: "other" });
    expect(preview.said.warnings).toEqual([expect.stringContaining(`"pulumi up" will fail: ${exists}`)]);
    await expect(open().life.create(args)).rejects.toThrow(exists);
    expect(stores()).toHaveLength(1);
    await open().life.create({ ...args, name: "reporting" });
    expect(stores()).toHaveLength(2);
    const [one] = stores();
    const spelled = { ...one, db_host: args.dbHost.toUpperCase(), db_type: one!.db_type.toUpperCase() };
    answers(emulator, "dbTaps.list", 200, { db_taps: [spelled] });
    await expect(open().life.create(args), "in the platform's spelling").rejects.toThrow("already exists");
  });

  test("a leftover that the platform named itself is recognised, one with a chosen name is not", async () => {
    emulator.setReadings({ dataStoreViewName: "shown" });
    const { name: _, ...unnamed } = args;
    await open().life.create(args);
    const { id } = await open().life.create(unnamed);
    await expect(open().life.create(unnamed)).rejects.toThrow(`data store ${id} for`);
  });

  test("where the list does not show names, a possible leftover is a warning", async () => {
    const { id } = await open().life.create(args);
    const { life, said } = open();
    await life.foresee(undefined, args);
    await life.create(args);
    const exists = expect.stringContaining(`data store ${id} for sales on db.example.com already exists`);
    expect(said.warnings).toEqual([exists, exists]);
    await open().life.create({ ...args, dbUser: "writer" });
    expect(stores()).toHaveLength(3);
  });

  test("what the platform chose for an imported one is no difference; what the program took away is", async () => {
    emulator.setReadings({ dataStoreViewName: "shown" });
    const { life, id } = await createdBy(open(), { ...args, port: 5433 });
    const { state } = (await life.read(id, {}))!;
    expect(state).toMatchObject({ name: "sales", dbLocation: "us-east-1" });
    const { name: _, dbLocation: __, ...rest } = args;
    expect(life.diff(state, rest).changed).toEqual(["port"]);
    expect(life.diff(state, { ...rest, port: 5433, dbLocation: "eu-west-1" }).changed).toEqual(["dbLocation"]);
    expect(off().life.diff(args, rest).replaces).toEqual(["name", "dbLocation"]);
  });

  test("what an import did not read is not sent with another change", async () => {
    const { life, id } = await createdBy(open(), args);
    const { state } = (await life.read(id, {}))!;
    emulator.clearRequests();
    const { dbLocation: _, ...elsewhere } = args;
    await life.update(id, state, { ...elsewhere, dbPasswd: "canary-other" });
    expect(writesTo(emulator)).toEqual([]);
    await life.update(id, state, { ...args, dbPasswd: "canary-other", dbUser: "writer" });
    expect(stores()[0]).toMatchObject({ db_user: "writer", db_passwd: args.dbPasswd });
  });

  test("a replacement is created beside the one it replaces", async () => {
    emulator.setReadings({ dataStoreViewName: "shown" });
    const { id, state } = await open().life.create(args);
    const next = open({ declarations: new Declarations() });
    next.life.check(args, { who: "urn", name: "sales", old: next.life.inputsOf(state) });
    const replacement = await next.life.create(args);
    await next.life.delete(id, state);
    expect(stores().map((store) => String(store.id))).toEqual([replacement.id]);
  });

  test("a platform that keeps names and hosts in small letters has not changed them", async () => {
    const { life, id, state } = await createdBy(open(), { ...args, name: "Sales", dbHost: "DB.example.com" });
    const shown = { id: Number(id), name: "sales", db_host: "db.example.com", db_name: args.dbName };
    answers(emulator, "dbTaps.view", 200, shown);
    expect((await life.read(id, state))?.state).toMatchObject({ name: "Sales", dbHost: "DB.example.com" });
  });

  test("half of the operations: what cannot be edited is replaced by the next up, and what cannot be deleted stays", async () => {
    const half = await ownEmulator({ extended: ["dbTaps.list", "dbTaps.view"] });
    const { life, said, id, state } = await createdBy(inProcess(dataStore, half, { extended: true }), args);
    const wanted = { ...args, dbHost: "db2.example.com" };
    expect((await life.plan(id, state, wanted)).replaces).toEqual([]);
    const { reason, existing } = await failureOf(life.update(id, state, wanted));
    expect(reason).toContain("cannot change data store");
    expect(existing).toMatchObject({ id, state: { dbHost: "db.example.com" } });
    expect((await life.plan(id, existing.state, wanted)).replaces).toEqual(["dbHost"]);
    await life.delete(id, existing.state);
    expect(stores(half)).toHaveLength(1);
    expect(said.warnings.join("\n")).toContain("stays on the platform");
  });

  test("a response that holds the record one level down is read, and no second data store is created", async () => {
    const record = { id: 77, name: "sales", db_host: "db.example.com", account_id: 1001 };
    answers(emulator, "dbTaps.create", 200, { db_tap: record });
    await expect(off().life.create(args)).resolves.toMatchObject({ id: "77" });
  });

  test("a refused edit is final: nothing is sent again under another name", async () => {
    emulator.setReadings({ dataStoreEditPort: "db_port" });
    const { life, id, state } = await createdBy(open(), { ...args, port: 5433 });
    emulator.clearRequests();
    await expect(life.update(id, state, { ...args, port: 5434 })).rejects.toThrow(/Unrecognized key.*port/);
    expect(emulator.requests().counts).toMatchObject({ "dbTaps.edit": 1 });
  });
});
