import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { problemsInProgram, withoutNullParts } from "../../../provider/components/program";

const isOpaque = (value: unknown) => pulumi.Output.isInstance(value) || value instanceof Promise;
const problemsIn = (args: object) => problemsInProgram("blue", args, isOpaque);

const store = { dbHost: "h", dbName: "n" };

describe("arguments that only types would refuse", () => {
  test.each<[string, object, string]>([
    ["a part", { whitelsit: {}, dataStores: {} }, "whitelsit is not a known property; did you mean whitelist?"],
    ["its letters", { datastores: {} }, "datastores is not a known property; did you mean dataStores?"],
    ["a list as the whitelist", { whitelist: ["203.0.113.7"] }, "whitelist must be an object, but is an array"],
    [
      "a role instead of roles",
      { groups: { analysts: { id: 205, roles: "analyst" } } },
      'groups.analysts.roles must be an array, but is "analyst"; write it as ["analyst"]',
    ],
    ["its own name", { renamedFrom: "blue" }, "renamedFrom is blue, the environment's own name; remove it"],
    ["a text as a part", { roles: "analyst" }, 'roles must be an object, but is "analyst"'],
  ])("%s", (_, args, problem) => {
    expect(problemsIn(args)).toEqual([problem]);
  });

  test("a secret is in no message", () => {
    const [problem, ...others] = problemsIn({ dataStores: { a: { ...store, dbPaswd: "canary-passwd" } } });
    expect(problem).toContain("did you mean dbPasswd?");
    expect(others).toEqual([]);
    expect(problem).not.toContain("canary");
    expect(problemsIn({ dataStores: { a: { ...store, dbPasswd: 12345 } } })).toEqual([]);
  });
});

describe("outputs", () => {
  const later = <T>(value: T) => pulumi.output(value);

  test("may stand wherever they do not decide which resources there are", () => {
    const args = {
      account: { name: later("blue") },
      whitelist: { addresses: later(["203.0.113.7"]), wayBackIn: [later("198.51.100.10")], exclusive: true },
      dataStores: { orders: { dbHost: later("h"), dbName: "n", port: Promise.resolve(5432), dbPasswd: later("x") } },
      groups: { analysts: { id: later(205), roles: ["analyst"] } },
      objectPolicies: { churn: { sourceId: later("501"), teamMay: later(["read"]) } },
      folderPolicies: { a: { type: "notes", location: "Common/a", policy: later([]) } },
      packages: { libraries: { envId: later(401), packages: later(["pyarrow"]) } },
      jobs: {
        load: {
          tableRefresh: later({ dbName: "a", hiveTable: "b" }),
          waitFor: { schema: later("a"), table: "b", columns: later([]) },
        },
      },
    };
    expect(problemsIn(args)).toEqual([]);
  });

  test("may stand in objects of a class", () => {
    class Store {
      readonly dbHost = later("h");
      readonly dbName = "n";
    }
    expect(problemsIn({ dataStores: { a: new Store() } })).toEqual([]);
  });

  test.each<[string, object]>([
    ["account", { account: later({ name: "blue" }) }],
    ["dataStores", { dataStores: later({ orders: store }) }],
    ["dataStores.orders", { dataStores: { orders: later(store) } }],
    ["groups.analysts.roles", { groups: { analysts: { id: 205, roles: later(["analyst"]) } } }],
    ["jobs.a.after", { jobs: { a: { tableRefresh: later({}), after: later([]) } } }],
    ["jobs.a.waitFor", { jobs: { a: { tableRefresh: later({}), waitFor: later({}) } } }],
    ["inNewAccount", { account: { name: "a" }, inNewAccount: later(["groups"]) }],
    ["movedFrom.whitelist", { whitelist: { addresses: ["203.0.113.7"] }, movedFrom: { whitelist: later("w") } }],
  ])("may not be %s", (property, args) => {
    expect(problemsIn(args)).toEqual([expect.stringContaining(`${property} is an output, or not known yet`)]);
  });
});

test("null is absent, but for properties that mean something by it", () => {
  const given = { account: null, dataStores: { a: null, b: { ...store, catalogName: null, dbUser: null } } };
  expect(problemsIn(given)).toEqual([]);
  expect(withoutNullParts(given, isOpaque)).toEqual({
    dataStores: { b: { ...store, catalogName: null, dbUser: null } },
  });
});
