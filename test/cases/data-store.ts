import { expect } from "vitest";
import type { EmulatorState, LifecycleCase } from "../harness/lifecycle";

export const password = "canary-password-1";
const privateKey = "-----BEGIN KEY-----\ncanary-private-key\n-----END KEY-----";
export const minimal = { dbHost: "db.example.com", dbName: "sales" };
export const full = {
  name: "sales",
  dbType: "postgresql",
  dbLocation: "eu-west-1",
  ...minimal,
  dbUser: "reader",
  dbPasswd: password,
  catalogName: "sales1",
};
const gateway = { gatewayIp: "10.0.0.1", gatewayUsername: "jump", gatewayPrivateKey: privateKey };
export const behindGateway = { ...minimal, dbLocation: "on-premise", ...gateway };

export const storesIn = (state: EmulatorState) => state.accounts.find(({ id }) => id === 1001)!.dataStores;
const replaced = { "dbTaps.create": 1 };

export const life: LifecycleCase = {
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
};
