import { expect } from "vitest";
import { answers } from "../../harness/emulators";
import { type Claims, call, lifeOf, refuses, requestsOf, sentFor, withTheExtendedApi } from "./provider";

const store = { dbHost: "db.example.com", dbName: "sales" };
const sensor = { schema: "sales", table: "orders", columns: [{ column: "region", values: ["emea"] }] };
const withColumns = (...columns: readonly object[]) => ({ ...sensor, columns });
const numpy = { envId: 403, sourceType: "python_package", packages: ["numpy==1.26.4"] };

/** The sections "Data stores", "Hive tables and partition sensors", and "Package environments". */
export const things: Claims = {
  "Sends what the program says; reads nothing of it from the answer, and with the extended API all but the password":
    async (on) => {
      const record = (shown: object) => ({ id: 9, account_id: 1001, user_id: 11, name: "sales", ...shown });
      const given = { ...store, dbLocation: "us-west-2", dbUser: "reader", dbPasswd: "ours" };
      const theirs = { db_location: "eu-west-1", db_user: "root", db_passwd: "theirs" };
      expect(await sentFor(on, "DataStore", store)).not.toHaveProperty("db_location");
      answers(on, "dbTaps.create", 200, record(theirs));
      const { state } = await lifeOf(on, "DataStore").life.create(given);
      expect(state).toMatchObject(given);
      const read = async (shown: object) => {
        answers(on, "dbTaps.view", 200, record(shown));
        return (await lifeOf(on, "DataStore", withTheExtendedApi).life.read("9", state))?.state;
      };
      expect(await read(theirs)).toMatchObject({ dbLocation: "eu-west-1", dbUser: "root", dbPasswd: "ours" });
      expect(await read({ db_location: null, db_user: null, db_passwd: null })).toMatchObject(given);
    },

  "Keeps the platform's order and columns": async (on) => {
    const tables = ["b", "A", "a"].map((name) => ({ name, columns: [{ name: "dt", type: "string" }] }));
    answers(
      on,
      "hive.list",
      200,
      tables.map(({ name, columns }) => ({ [name]: { columns } })),
    );
    expect(await call(on, "getHiveTables", { describe: true })).toMatchObject({ names: ["b", "A", "a"], tables });
  },

  '422 is an error that says which names to check; `"false"` is not ready': async (on) => {
    const { life } = lifeOf(on, "PartitionSensor");
    answers(on, "partitionSensor.create", 422, { error: { error_code: 422, error_message: "no such column" } });
    await expect(life.create(sensor)).rejects.toThrow(/no such column; check the schema, table and column names/);
    answers(on, "partitionSensor.create", 200, { status: "false" });
    expect((await life.create(sensor)).state).toMatchObject({ ready: false });
  },

  "Sends columns with a name, and values that are texts, numbers or booleans; also none, and empty ones": async (
    on,
  ) => {
    const column = (values: unknown) => withColumns({ column: "region", values });
    answers(on, "partitionSensor.create", 200, { status: "true" });
    for (const values of [["a", 1, true], [], [""], "[a,]"])
      expect(await sentFor(on, "PartitionSensor", column(values))).toMatchObject({ columns: [{ values }] });
    refuses("PartitionSensor", sensor, column([null]), column([{}]), withColumns({ column: "", values: ["a"] }), {
      columns: [{ column: "region", values: ["a"], other: 1 }],
    });
  },

  "Refuses a column that is listed twice, at preview": () =>
    refuses("PartitionSensor", sensor, withColumns(...["a", "b"].map((value) => ({ column: "dt", values: [value] })))),

  "Passes on what the platform answers to a sensor without columns": async (on) => {
    const { columns: _, ...none } = sensor;
    for (const ready of [true, false]) {
      answers(on, "partitionSensor.create", 200, { status: String(ready) });
      expect((await lifeOf(on, "PartitionSensor").life.create(none)).state).toMatchObject({ ready });
    }
  },

  "Adds a bare name as it is, and removes by name alone": async (on) => {
    const add = { ...numpy, packages: ["numpy==1.26.4", "requests"] };
    expect(await sentFor(on, "PackageSet", add)).toMatchObject({ package_names: "numpy==1.26.4,requests" });
    const [request] = await requestsOf(on, () => lifeOf(on, "PackageSet").life.delete("403/python_package", numpy));
    expect(request).toMatchObject({ operation: "package.remove", body: { package_names: "numpy" } });
  },

  "Refuses blanks, and names with other characters than letters, digits, dots, hyphens and underscores, at preview":
    () => {
      refuses("PackageSet", { ...numpy, packages: ["a.b-c_d1"] });
      refuses(
        "PackageSet",
        numpy,
        ...["a == 1", "a b", "a=b", "a/b", "ä", "a,b"].map((name) => ({ packages: [name] })),
      );
    },

  "Requires http or https addresses, and sends the two fields only": async (on) => {
    const entry = { name: "lme4", repoUrl: "https://cran.example.com" };
    const rows = { envId: 402, sourceType: "r_package", repoPackages: [entry] };
    const others = [
      { ...entry, repoUrl: "ftp://cran.example.com" },
      { ...entry, other: 1 },
    ];
    refuses("PackageSet", rows, ...others.map((other) => ({ repoPackages: [other] })));
    const { repo_packages: sent } = await sentFor(on, "PackageSet", rows);
    expect(JSON.parse(String(sent))).toEqual([{ name: "lme4", repo_url: "https://cran.example.com" }]);
  },
};
