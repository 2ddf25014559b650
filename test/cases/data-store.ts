import { expect } from "vitest";
import { accountIn, type BadInput, type EmulatorState, type LifecycleCase } from "../harness/lifecycle";

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

export const storesIn = (state: EmulatorState) => accountIn(state).dataStores;
const replaced = { "dbTaps.create": 1 };

export const life: LifecycleCase = {
  type: "DataStore",
  args: full,
  secrets: { args: { ...full, ...behindGateway }, create: "dbTaps.create" },
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
        expect(text).toContain("changing dbPasswd, skipValidation creates a new DataStore, and data store 601");
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
    [
      { ...minimal, dbType: "oracle" },
      "dbType",
      'is "oracle"; expected one of "mysql", "vertica", "mongo", "postgresql", "redshift", "snowflake"',
    ],
    [{ ...minimal, dbName: "" }, "dbName", "is empty"],
    [{ ...minimal, name: "" }, "name", "is empty"],
    [{ ...minimal, dbHost: "jdbc:mysql://db" }, "dbHost", "has a scheme; remove it"],
    [{ ...minimal, dbHost: "db:3306" }, "dbHost", "has a port"],
    [{ ...minimal, dbHost: "my db" }, "dbHost", "is not a host"],
    [{ ...minimal, dbHost: "10.0.1" }, "dbHost", "is not a host"],
    [{ ...minimal, port: 0 }, "port", "is 0; expected a port from 1 to 65535"],
    [{ ...minimal, port: 65536 }, "port", "from 1 to 65535"],
    [{ ...minimal, port: "3306" }, "port", 'must be a number, but is "3306"; write it as 3306'],
    [{ ...minimal, dbPasswd: 50155501 }, "", /^dbPasswd must be a string, but is \[secret\]$/],
    [{ ...minimal, dbType: "postgres" }, "dbType", '"snowflake"; did you mean "postgresql"?'],
    [{ ...minimal, catalogName: "Sales" }, "catalogName", 'is "Sales"; use only lower-case letters and digits'],
    [{ ...minimal, catalogName: "my_sales" }, "catalogName", "use only lower-case letters and digits"],
    ...["vertica", "mongo"].map(
      (dbType): BadInput => [
        { ...minimal, dbType, catalogName: "sales" },
        "catalogName",
        `is not available for dbType ${dbType}; it needs one of mysql, postgresql, redshift`,
      ],
    ),
    [
      { ...behindGateway, dbLocation: "us-east-1" },
      "gatewayIp, gatewayUsername, ",
      'is allowed only when dbLocation is "on-premise"; it is "us-east-1"',
    ],
    [
      { ...minimal, ...gateway },
      "gatewayIp, gatewayUsername, ",
      // The engine would print the value of the named property.
      /^gatewayPrivateKey is allowed only when .* it is not set/m,
    ],
    [{ ...full, gatewayPort: 22 }, "gatewayPort", 'is allowed only when dbLocation is "on-premise"'],
    [{ ...behindGateway, gatewayPort: 0 }, "gatewayPort", "is 0"],
    ...(["gatewayIp", "gatewayUsername", "gatewayPrivateKey"] as const).map(
      (missing): BadInput => [
        { ...behindGateway, [missing]: undefined },
        missing,
        /is required when gateway\w+ and gateway\w+ are set/,
      ],
    ),
  ],
  badLater: {
    args: { ...full, dbLocation: { $later: "on-the-moon" } },
    says: /on-the-moon\W+ expected one of/,
  },
  forbidden: { token: "user", says: "creating a data store" },
};
