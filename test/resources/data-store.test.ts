import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { dataStore } from "../../provider/resources/data-store";
import { inProcess } from "../harness/in-process";
import { type EmulatorState, lifecycle } from "../harness/lifecycle";
import { TestStack } from "../harness/stack";
import { testOnEngine } from "../harness/tier";

const password = "canary-password-1";
const privateKey = "-----BEGIN KEY-----\ncanary-private-key\n-----END KEY-----";
const minimal = { dbHost: "db.example.com", dbName: "sales" };
const full = {
  name: "sales",
  dbType: "postgresql",
  dbLocation: "eu-west-1",
  ...minimal,
  dbUser: "reader",
  dbPasswd: password,
  catalogName: "sales1",
};
const gateway = { gatewayIp: "10.0.0.1", gatewayUsername: "jump", gatewayPrivateKey: privateKey };
const behindGateway = { ...minimal, dbLocation: "on-premise", ...gateway };

const storesIn = (state: EmulatorState) => state.accounts.find(({ id }) => id === 1001)!.dataStores;
const replaced = { "dbTaps.create": 1 };

lifecycle({
  type: "DataStore",
  args: full,
  present: (state, id) =>
    expect(storesIn(state).find((store) => String(store.id) === id)).toMatchObject({
      name: "sales",
      db_type: "postgresql",
      db_location: "eu-west-1",
      db_host: "db.example.com",
      db_name: "sales",
      db_user: "reader",
      db_passwd: password,
      catalog_name: "sales1",
      port: null,
      gateway_ip: null,
    }),
  absent: (state) => expect(storesIn(state)).toHaveLength(3),
  changes: [
    {
      what: "skipValidation",
      args: { ...full, skipValidation: true },
      expect: "update",
      calls: { "dbTaps.create": 0 },
    },
    {
      what: "another password",
      args: { ...full, dbPasswd: "canary-password-2" },
      expect: "replace",
      calls: replaced,
      after: (state, { text }) => {
        expect(storesIn(state).map(({ db_passwd }) => db_passwd)).toEqual([password, "canary-password-2"]);
        expect(text).toContain("changing dbPasswd, skipValidation creates a new one, and leaves data store 601");
        expect(text).not.toContain("canary");
      },
    },
    {
      what: "a gateway and the default name",
      args: { ...behindGateway, port: 3307, gatewayPort: 2222 },
      expect: "replace",
      calls: replaced,
      after: (state) =>
        expect(storesIn(state).at(-1)).toMatchObject({
          name: "db.example.com-sales",
          db_type: "mysql",
          port: 3307,
          gateway_ip: "10.0.0.1",
          gateway_port: 2222,
          gateway_username: "jump",
          gateway_private_key: privateKey,
        }),
    },
  ],
  kept: "data store ID (db.example.com-sales) stays on the platform",
  bad: [
    {
      what: "unknown type",
      args: { ...minimal, dbType: "snowflake" },
      property: "dbType",
      says: 'is "snowflake"; expected one of "mysql", "vertica", "mongo", "postgresql", "redshift"',
    },
    {
      what: "unknown location",
      args: { ...minimal, dbLocation: "us-east-2" },
      property: "dbLocation",
      says: 'expected one of "us-east-1", "us-west-2", "ap-southeast-1", "eu-west-1", "on-premise"',
    },
    { what: "no host", args: { dbName: "sales" }, property: "dbHost", says: "is required" },
    { what: "no database", args: { dbHost: "db" }, property: "dbName", says: "is required" },
    { what: "empty database name", args: { ...minimal, dbName: "" }, property: "dbName", says: "is empty" },
    { what: "empty name", args: { ...minimal, name: "" }, property: "name", says: "is empty" },
    {
      what: "host with a scheme",
      args: { ...minimal, dbHost: "jdbc:mysql://db" },
      property: "dbHost",
      says: "has a scheme; remove it",
    },
    { what: "host with a port", args: { ...minimal, dbHost: "db:3306" }, property: "dbHost", says: "has a port" },
    { what: "host with spaces", args: { ...minimal, dbHost: "my db" }, property: "dbHost", says: "is not a host" },
    { what: "half an IP address", args: { ...minimal, dbHost: "10.0.1" }, property: "dbHost", says: "is not a host" },
    {
      what: "port 0",
      args: { ...minimal, port: 0 },
      property: "port",
      says: "is 0; expected a port from 1 to 65535",
    },
    { what: "port too high", args: { ...minimal, port: 65536 }, property: "port", says: "from 1 to 65535" },
    {
      what: "port as text",
      args: { ...minimal, port: "3306" },
      property: "port",
      says: 'must be a number, but is "3306"',
    },
    {
      what: "catalog name in capitals",
      args: { ...minimal, catalogName: "Sales" },
      property: "catalogName",
      says: 'is "Sales"; use only lower-case letters and digits',
    },
    {
      what: "catalog name with an underscore",
      args: { ...minimal, catalogName: "my_sales" },
      property: "catalogName",
      says: "use only lower-case letters and digits",
    },
    ...["vertica", "mongo"].map((dbType) => ({
      what: `catalog name with ${dbType}`,
      args: { ...minimal, dbType, catalogName: "sales" },
      property: "catalogName",
      says: `is not available for dbType ${dbType}; it needs one of mysql, postgresql, redshift`,
    })),
    {
      what: "gateway in a region",
      args: { ...behindGateway, dbLocation: "us-east-1" },
      property: "gatewayIp",
      says: 'is allowed only when dbLocation is "on-premise"; it is "us-east-1"',
    },
    {
      what: "gateway without a location",
      args: { ...minimal, ...gateway },
      // The engine would print the value of the named property.
      property: "",
      says: /^gatewayPrivateKey is allowed only when .* it is not set/m,
    },
    {
      what: "gateway port in a region",
      args: { ...full, gatewayPort: 22 },
      property: "gatewayPort",
      says: 'is allowed only when dbLocation is "on-premise"',
    },
    {
      what: "gateway port out of range",
      args: { ...behindGateway, gatewayPort: 0 },
      property: "gatewayPort",
      says: "is 0",
    },
    ...(["gatewayIp", "gatewayUsername", "gatewayPrivateKey"] as const).map((missing) => ({
      what: `gateway without ${missing}`,
      args: { ...behindGateway, [missing]: undefined },
      property: missing,
      says: /is required when gateway\w+ and gateway\w+ are set/,
    })),
  ],
  badLater: {
    args: { ...full, dbLocation: { $later: "on-the-moon" } },
    property: "dbLocation",
    says: /on-the-moon\W+ expected one of/,
  },
  forbidden: { token: "user", says: "creating a data store" },
});

describe("DataStore", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());

  test("cross-property rules wait for unknown values", () => {
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const { life } = inProcess(dataStore, emulator);
    expect(life.check({ ...behindGateway, dbLocation: unknown }).failures).toEqual([]);
    expect(life.check({ ...behindGateway, gatewayIp: unknown }).failures).toEqual([]);
    expect(life.check({ ...minimal, dbType: unknown, catalogName: "sales" }).failures).toEqual([]);
  });

  test("an explicit default is not a change; any change except skipValidation replaces it", () => {
    const { life } = inProcess(dataStore, emulator);
    expect(life.diff("7", minimal, { ...minimal, dbType: "mysql", skipValidation: false }).changed).toEqual([]);
    const change = { ...behindGateway, port: 1, skipValidation: true };
    const { changed, replaces } = life.diff("7", full, change);
    expect(changed).toEqual([...replaces, "skipValidation"]);
  });

  test("a lost answer is reported as an unknown outcome, and nothing is sent twice", async () => {
    emulator.setFaults({ rules: [{ operation: "dbTaps.create", kind: "reset-after" }] });
    const { life } = inProcess(dataStore, emulator);
    await expect(life.create(full)).rejects.toThrow(
      /its outcome is unknown.*new data store for sales on db.example.com/,
    );
    expect(storesIn(emulator.state())).toHaveLength(1);
  });

  test("a rejection contains the reason but not the password", async () => {
    const { life } = inProcess(dataStore, emulator);
    const refused = life.create({ ...full, dbHost: "unreachable.example.com" });
    await expect(refused).rejects.toThrow(/cannot connect to unreachable.example.com/);
    await expect(refused).rejects.not.toThrow(/canary/);
    await expect(
      life.create({ ...full, dbHost: "unreachable.example.com", skipValidation: true }),
    ).resolves.toBeTruthy();
  });

  test("an import knows the id and the account", async () => {
    const { life } = inProcess(dataStore, emulator);
    await expect(life.read("my sales", {})).rejects.toThrow(/"my sales" is not a data store id/);
    await expect(life.read("7", {})).resolves.toMatchObject({ id: "7", state: { accountId: 1001 } });
  });

  testOnEngine("password and private key are encrypted in the state", async () => {
    const stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
    try {
      const { code, text } = await stack.up({
        it: { type: "DataStore", args: { ...behindGateway, dbPasswd: password } },
      });
      expect(code, text).toBe(0);
      const state = await stack.exportState();
      expect(`${state.text}${text}`).not.toContain("canary");
      expect(Object.keys(state.resources[0]!.outputs)).toEqual(
        expect.arrayContaining(["dbPasswd", "gatewayPrivateKey", "assignedName", "accountId"]),
      );
    } finally {
      stack.remove();
    }
  });
});
