import { expect } from "vitest";
import { request } from "../harness/http";
import {
  accountIn,
  type BadInput,
  type EmulatorState,
  type ExtendedLife,
  type LifecycleCase,
  replace,
  update,
} from "../harness/lifecycle";

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
const ofGateway = "gatewayIp, gatewayUsername, ";
const bad = (property: string, value: unknown, says: string | RegExp, others: object = {}): BadInput => [
  { ...minimal, ...others, [property]: value },
  property,
  says,
];

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
    update("skipValidation", { ...full, skipValidation: true }, { "dbTaps.create": 0 }),
    replace("another password", { ...full, dbPasswd: "canary-password-2" }, replaced, (state, { text }) => {
      expect(storesIn(state).map(({ db_passwd }) => db_passwd)).toEqual([password, "canary-password-2"]);
      expect(text).toContain("changing dbPasswd, skipValidation creates a new DataStore, and data store 601");
      expect(text).not.toContain("canary");
    }),
    replace("a gateway and the default name", { ...behindGateway, port: 3307, gatewayPort: 2222 }, replaced, (state) =>
      expect(storesIn(state).at(-1)).toMatchObject({
        name: "db.example.com-sales",
        db_type: "mysql",
        port: 3307,
        gateway_ip: "10.0.0.1",
        gateway_port: 2222,
        gateway_username: "jump",
        gateway_private_key: privateKey,
      }),
    ),
  ],
  kept: "data store ID (db.example.com-sales) stays on the platform",
  bad: [
    bad("dbType", "oracle", /is "oracle"; expected one of "mysql", "vertica", "mongo", "postgresql", .*, "snowflake"/),
    bad("dbName", "", "is empty"),
    bad("name", "", "is empty"),
    bad("dbHost", "jdbc:mysql://db", "has a scheme; remove it"),
    bad("dbHost", "db:3306", "has a port"),
    bad("dbHost", "my db", "is not a host"),
    bad("dbHost", "10.0.1", "is not a host"),
    bad("port", 0, "is 0; expected a port from 1 to 65535"),
    bad("port", 65536, "from 1 to 65535"),
    bad("port", "3306", 'must be a number, but is "3306"; write it as 3306'),
    [{ ...minimal, dbPasswd: 50155501 }, "", /^dbPasswd must be a string, but is \[secret\]$/],
    bad("dbType", "postgres", '"snowflake"; did you mean "postgresql"?'),
    bad("catalogName", "Sales", 'is "Sales"; use only lower-case letters and digits'),
    bad("catalogName", "my_sales", "use only lower-case letters and digits"),
    ...["vertica", "mongo"].map((dbType) =>
      bad("catalogName", "sales", `not available for dbType ${dbType}; it needs one of mysql, postgresql,`, { dbType }),
    ),
    [
      { ...behindGateway, dbLocation: "us-east-1" },
      ofGateway,
      'only when dbLocation is "on-premise"; it is "us-east-1"',
    ],
    // The engine would print the value of the named property.
    [{ ...minimal, ...gateway }, ofGateway, /^gatewayPrivateKey is allowed only when .* it is not set/m],
    [{ ...full, gatewayPort: 22 }, "gatewayPort", 'is allowed only when dbLocation is "on-premise"'],
    [{ ...behindGateway, gatewayPort: 0 }, "gatewayPort", "is 0"],
    ...["gatewayIp", "gatewayUsername", "gatewayPrivateKey"].map((missing) =>
      bad(missing, undefined, /is required when gateway\w+ and gateway\w+ are set/, behindGateway),
    ),
  ],
  badLater: { args: { ...full, dbLocation: { $later: "on-the-moon" } }, says: /on-the-moon\W+ expected one of/ },
  forbidden: { token: "user", says: "creating a data store" },
};

const { catalogName: _, ...common } = full;
export const extendedArgs = { ...common, dbLocation: "us-east-1", skipValidation: true };
export const extendedGateway = {
  ...extendedArgs,
  dbLocation: "on-premise",
  gatewayIp: "gate.example.com",
  gatewayUsername: "tunnel",
  gatewayPrivateKey: "canary-key",
};

export const extended: ExtendedLife = {
  type: "DataStore",
  args: extendedArgs,
  present: (state, id) => {
    const found = storesIn(state).find((store) => String(store.id) === id);
    expect(found).toMatchObject({ db_host: "db.example.com", db_name: "sales", db_user: "reader" });
  },
  drift: {
    make: async (platform) => {
      const { id } = storesIn(platform.state())[0]!;
      await request(platform, "PUT", `/api/v1.2/db_taps/${id}`, { db_user: "intruder" });
    },
  },
  disappear: (platform, id) => request(platform, "DELETE", `/api/v1.2/db_taps/${id}`),
  changes: [
    update(
      "another host and a rotated password",
      { ...extendedArgs, dbHost: "db2.example.com", dbPasswd: "canary-rotated" },
      (state) => expect(storesIn(state)).toMatchObject([{ db_host: "db2.example.com", db_passwd: "canary-rotated" }]),
    ),
    update("a port and a gateway", { ...extendedGateway, port: 5433 }, (state) =>
      expect(storesIn(state)).toMatchObject([
        { port: 5433, gateway_ip: "gate.example.com", gateway_private_key: "canary-key" },
      ]),
    ),
  ],
  absent: (state) => expect(storesIn(state)).toEqual([]),
};
