import { permissionTexts } from "../second-platform";
import { type Call, type Caller, callOf, type Group, group, type Operation } from "./calls";
import { allOperations, operations } from "./operations";

const callers: readonly Caller[] = [
  "systemUser",
  "powerless",
  "analyst",
  "disabled",
  "pending",
  "owner",
  "folderManager",
  "otherAccount",
  "no token",
  "an empty token",
  "an unknown token",
];

const withoutSlash = (path: string) => path.replace(/\/$/, "");
const otherSlash = (path: string) => (path.endsWith("/") ? withoutSlash(path) : `${path}/`);
const versioned = (path: string, version: string) => path.replace(/^\/api\/[^/]+/, `/api/${version}`);

/** Variations of a call that apply to any operation. */
function variations(operation: Operation): Record<string, Partial<Call>> {
  const { path, method } = operation;
  const headers = { "content-type": undefined };
  return {
    "a good request": {},
    ...Object.fromEntries(callers.map((as) => [`as ${String(as)}`, { as }])),
    "the final slash the other way": { path: otherSlash(path) },
    "two final slashes": { path: `${withoutSlash(path)}//` },
    ...Object.fromEntries(
      ["v1", "v1.2", "v2", "latest"]
        .filter((version) => versioned(path, version) !== path)
        .map((version) => [`version ${version}`, { path: versioned(path, version) }]),
    ),
    "without Accept": { headers: { accept: undefined } },
    "an unknown query parameter": { query: { ...operation.query, colour: "red" } },
    ...(method === "GET" && !operation.good
      ? { "an unexpected body": { body: { colour: "red" } }, "a list as the body": { body: [1] } }
      : {
          "without Content-Type": { headers },
          "Content-Type text/plain": { headers: { "content-type": "text/plain" } },
          "no body": { body: undefined },
          "a body that is not JSON": { body: undefined, text: "{" },
          "a list as the body": { body: [operation.good ?? {}] },
          "null as the body": { body: null },
          "text as the body": { body: "text" },
          "an unknown parameter": { body: { ...operation.good, colour: "red" } },
        }),
  };
}

/** Variations that depend on the operation run with each; others with one of each kind. */
const thorough: readonly Operation[] = [
  operations.addIp,
  operations.listIps,
  operations.spark,
  operations.history,
  operations.hive,
  operations.removePackages,
  operations.folderPolicy,
  operations.setPolicy,
  operations.viewPolicy,
];
const alike: readonly Operation[] = [
  operations.distCp,
  operations.refresh,
  operations.historyV1,
  operations.sensorLong,
  operations.createAccountV2,
];
const forAll =
  /^(as (systemUser|powerless|otherAccount|no token)|the final slash|version|no body|an unknown parameter)/;
const forAlike = /^(as (systemUser|powerless)|the final slash)/;

function ofOperation(operation: Operation): Group[] {
  const tried = alike.includes(operation) ? forAlike : thorough.includes(operation) ? /./ : forAll;
  const others = permissionTexts.filter((text) => text !== operation.permission);
  return [
    ...Object.entries(variations(operation))
      .filter(([name]) => tried.test(name))
      .map(([name, changes]) => group(`${operation.name}/${name}`, callOf(operation, changes))),
    group(
      `${operation.name}/with every other permission, then with the one`,
      callOf(operation, { as: { permissions: others } }),
      callOf(operation, { as: { permissions: [operation.permission] } }),
    ),
  ];
}

/** Once per path, however many operations it has. */
function otherMethods(): Group[] {
  const paths = new Map(allOperations.map(({ name, path }) => [withoutSlash(path), { name, path }]));
  return [...paths.values()].flatMap(({ name, path }) => {
    const used = new Set(
      allOperations.filter((one) => withoutSlash(one.path) === withoutSlash(path)).map((one) => one.method),
    );
    const methods = (["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as const).filter(
      (one) => !used.has(one),
    );
    return methods.map((method) => group(`${name}/by ${method}`, { method, path, compareHeaders: ["allow"] }));
  });
}

const general: Group[] = [
  group("general/an unknown path", { method: "GET", path: "/api/v1.2/nothing" }),
  group("general/an unknown path without a token", { method: "GET", path: "/api/v1.2/nothing", as: "no token" }),
  group("general/a known path without a token, by another method", {
    ...callOf(operations.listIps),
    method: "PUT",
    as: "no token",
  }),
  group("general/the root of the API", { method: "GET", path: "/api" }),
  group("general/upper case in the path", { method: "GET", path: "/api/v1.2/WHITELIST_IP" }),
  group("general/two slashes in the path", { method: "GET", path: "/api/v1.2//whitelist_ip" }),
  group("general/an encoded path", { method: "GET", path: "/api/v1.2/%77hitelist_ip" }),
  group("general/malformed percent-encoding in the path", {
    ...callOf(operations.deleteIp),
    path: "/api/v1.2/whitelist_ip/%zz",
  }),
  group("general/the type of the answer", callOf(operations.listIps, { compareHeaders: ["content-type"] })),
  group("general/a client that accepts gzip", {
    ...callOf(operations.listIps),
    headers: { "accept-encoding": "gzip" },
    compareHeaders: ["content-encoding"],
  }),
  group(
    "general/a body of 2 MiB",
    callOf(operations.spark, {
      body: { ...operations.spark.good, program: "x".repeat(2 * 1024 * 1024) },
    }),
  ),
];

export const callsOfEveryOperation: readonly Group[] = [
  ...allOperations.flatMap(ofOperation),
  ...otherMethods(),
  ...general,
];
