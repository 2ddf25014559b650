import { connect } from "node:net";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import {
  type Call,
  callOf,
  dataStore,
  goodCalls,
  perValue,
  putEntry,
  refusal,
  testEmulator,
  type Wrong,
} from "./calls";

const specified = testEmulator({ maxBodyBytes: 20_000 }, ({ url }) => putEntry(url));
const extended = testEmulator({ extended: true });
const { emulator, post } = specified;
const admin = (call: Call) => specified.as("admin", call);

/** What is refused with 422 in the place of a good value: the error names the parameter. */
const wrongValues: Record<string, Wrong> = {
  "whitelist.add": {
    ip_cidr: [
      ...["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/8/8"],
      ...["::1/129", ":::1", "g::1", "fe80::1%eth0", "[::1]", "::1/08", "example.com", " 1.2.3.4", "1.2.3.4 "],
      ...["1.2.3.4,5.6.7.8", 7, undefined],
    ],
  },
  "dbTaps.create": {
    ...{ db_name: [undefined], db_host: [5], port: ["3306", 70000], db_type: ["oracle"], db_location: ["mars"] },
    ...{ catalog_name: ["Has_Capitals"], skip_validation: ["yes"] },
  },
  "partitionSensor.create": { schema: [undefined], columns: ["dt"] },
  "package.add": {
    source_type: [undefined, "ruby_gem"],
    package_names: [["numpy"], "numpy=1", "numpy,,scipy", undefined],
  },
  "package.remove": { package_names: [undefined] },
  "folders.rename": { folder_id: [701], type: ["drawers"], name: ["", "a/b"] },
  "folders.policy": { source_type: ["folder"], policy: [[{ access: "allow" }]] },
  "objectPolicy.set": { source_id: [501] },
  "objectPolicy.view": { source_id: [undefined], source_type: ["book"] },
  "accounts.enableUser": { svc_user_id: [108] },
};
const wrongExtended: Record<string, Wrong> = {
  "accounts.disableUser": { svc_user_id: [""] },
  "groups.create": { name: [undefined, ""] },
  "groups.update": { removed_members: ["9"], removed_roles: ["none"] },
  "roles.create": { policies: [undefined, []], name: [undefined] },
  "roles.update": { policy: ["[]"] },
  "folders.viewPolicy": { type: ["boards"], source_type: ["Note"], location: [undefined] },
  "folders.create": { name: ["a-b"], type: ["jupyter_notebooks"] },
};

/** A call by its operation, with some values of the good one changed; `undefined` removes one. Or as it stands. */
type Case = [call: string, change: object | undefined, status: number, message: RegExp];
const perCall = (all: Record<string, Wrong>): Case[] =>
  Object.entries(all).flatMap(([call, wrong]) =>
    perValue(wrong).map(([change, says]): Case => [call, change, 422, says]),
  );

const gateway = { gateway_ip: "192.0.2.1", gateway_username: "g", gateway_private_key: "k" };
const policies: [string, RegExp][] = [
  ["not json", /JSON-encoded/],
  ["{}", /policy/],
  ['[{"access":"maybe"}]', /access/],
  ['[{"action":["read"]}]', /access/],
  ['[{"access":"allow","action":["fly"]}]', /action/],
  ['[{"access":"allow","action":"read"}]', /action/],
  ['[{"access":"allow","condition":{"svc_users":["1"]}}]', /svc_users/],
  ['[{"access":"allow","condition":{"svc_groups":1}}]', /svc_groups/],
  ['[{"access":"allow","condition":{"users":[1]}}]', /users/],
];

const cases: Case[] = [
  ...perCall(wrongValues),
  ["whitelist.add", { ip_cidr: "198.51.100.50" }, 409, /already/],
  ["whitelist.add", { ip_cidr: "198.51.100.50/32" }, 409, /already/],
  ...["mongo", "vertica"].map((db_type): Case => {
    return ["dbTaps.create", { catalog_name: "c1", db_type }, 422, /catalog_name/];
  }),
  ["dbTaps.create", gateway, 422, /on-premise/],
  ["dbTaps.create", { gateway_port: 22 }, 422, /on-premise/],
  ...Object.keys(gateway).map((name): Case => {
    return ["dbTaps.create", { db_location: "on-premise", ...gateway, [name]: undefined }, 422, new RegExp(name)];
  }),
  ["dbTaps.create", { db_host: "unreachable.example.com" }, 422, /cannot connect/],
  ["partitionSensor.create", { table: "absent" }, 422, /metastore/],
  ["partitionSensor.create", { columns: [{ column: "dt", values: "2024-01-01" }] }, 422, /values/],
  ["partitionSensor.create", { columns: [{ column: "moon", values: ["x"] }] }, 422, /moon/],
  ["package.add", { repo_url: "https://cran.example.com" }, 422, /R packages/],
  ["package.add", { source_type: "r_package", repo_packages: [] }, 422, /repo_packages/],
  ["package.add", { source_type: "r_package", repo_packages: "nope" }, 422, /JSON-encoded/],
  ["package.add", { source_type: "r_package", repo_packages: '[{"name":"a"}]' }, 422, /repo_url/],
  ["folders.rename", { folder_id: "999" }, 404, /999/],
  ["folders.rename", { location: "Elsewhere" }, 404, /Elsewhere/],
  ["folders.rename", { type: "notebook_dashboards" }, 404, /notebook_dashboards/],
  ["folders.policy", { location: "Elsewhere" }, 404, /Elsewhere/],
  ...["folders.policy", "objectPolicy.set"].flatMap((operation) =>
    policies.map(([policy, message]): Case => [operation, { policy }, 422, message]),
  ),
  ["objectPolicy.set", { policy: '[{"access":"allow","action":["write"]}]' }, 422, /action/],
  ["objectPolicy.set", { source_id: "999" }, 404, /999/],
  ["objectPolicy.set", { source_type: "environment", source_id: "401" }, 422, /source_type/],
  ["objectPolicy.view", { source_id: "999" }, 404, /999/],
  ["accounts.enableUser", { svc_user_id: "nobody@example.com" }, 404, /nobody/],
];

const environmentPolicy = { source_type: "environment", source_id: "401", policy: "[]" };
const extendedCases: Case[] = [
  ...perCall(wrongExtended),
  ["accounts.disableUser", { svc_user_id: "101" }, 422, /yourself/],
  ["accounts.disableUser", { svc_user_id: "admin@analytics.example.com" }, 422, /yourself/],
  ["accounts.disableUser", { svc_user_id: "151" }, 404, /no user 151/],
  ["accounts.disableUser", { svc_user_id: "nobody@example.com" }, 404, /no user nobody/],
  ["groups.create", { name: "analysts" }, 409, /already has a group analysts/],
  ["groups.create", { name: "everyone" }, 409, /already/],
  ["groups.create", { members: "104,9" }, 422, /members: this account has no user 9/],
  ["groups.create", { members: "admin@research.example.com" }, 422, /members/],
  ["groups.create", { roles: "351" }, 422, /roles: this account has no role 351/],
  ["groups.update", { name: "operators" }, 409, /operators/],
  ["groups.update", { members: "104", removed_members: "104" }, 422, /added and removed/],
  ["groups.update", { roles: "analyst", removed_roles: "301" }, 422, /added and removed/],
  ["PUT /groups/203", { name: "all" }, 422, /everyone is a system group/],
  ["PUT /groups/201", { members: "103" }, 422, /system group/],
  ["PUT /groups/analysts", { name: "x" }, 404, /no group analysts/],
  ...["201", "system-user", "everyone"].map((name): Case => [`DELETE /groups/${name}`, undefined, 422, /system group/]),
  ["DELETE /groups/254", undefined, 404, /no group 254/],
  ["DELETE /groups/none", undefined, 404, /no group none/],
  ["PUT /groups/204/svc_users/105,9/add", {}, 404, /no user 9; nothing was changed/],
  ["PUT /groups/204/svc_users/104,151/remove", {}, 404, /no user 151/],
  ["PUT /groups/204/svc_users/,/add", {}, 404, /no user/],
  ["PUT /groups/none/svc_users/105/add", {}, 404, /no group none/],
  ["roles.create", { name: "analyst" }, 409, /already has a role analyst/],
  ["roles.create", { name: "system-user" }, 409, /already/],
  ["roles.create", { policies: "{" }, 422, /JSON-encoded/],
  ["roles.create", { policies: "{}" }, 422, /policies: element list/],
  ["roles.create", { policies: '[{"resource":"moon","access":"allow"}]' }, 422, /element 0\.resource/],
  ["roles.create", { policies: '[{"resource":"all","access":"maybe"}]' }, 422, /element 0\.access/],
  ["roles.create", { policies: '[{"resource":"all","action":"all","access":"deny"}]' }, 422, /element 0\.action/],
  ["roles.create", { policies: '[{"resource":"all","access":"deny","x":1}]' }, 422, /element 0: unknown field "x"/],
  ["roles.update", { name: "nothing" }, 409, /nothing/],
  ["roles.update", { policies: "[1]" }, 422, /policies: element 0/],
  ["PUT /roles/307", { name: "x" }, 422, /system-admin is a system role/],
  ["PUT /roles/308", { policies: "[]" }, 422, /only duplicated/],
  ["PUT /roles/analyst", {}, 404, /no role analyst/],
  ["GET /package/499/list_packages", undefined, 404, /499/],
  ["GET /package/abc/list_packages", undefined, 404, /abc/],
  ["folders.viewPolicy", { location: "Common/nowhere" }, 404, /Common\/nowhere/],
  ["folders.viewPolicy", { type: "notebook_dashboards" }, 404, /notebook_dashboards/],
  ["folders.viewPolicy", { type: "jupyter_notebooks" }, 404, /jupyter_notebooks/],
  ["folders.create", { location: "Common/nowhere" }, 404, /Common\/nowhere/],
  ["folders.create", { location: "Users/nobody@example.com" }, 404, /nobody/],
  ["folders.move", { location: "Common/nowhere" }, 404, /Common\/nowhere/],
  ["folders.move", { destination_location: "Nowhere" }, 404, /Nowhere/],
  ["folders.move", { destination_location: "Common/reports/weekly" }, 409, /weekly/],
  ["objectPolicy.set", { ...environmentPolicy, source_id: "499" }, 404, /499/],
  ["objectPolicy.set", { ...environmentPolicy, policy: '[{"access":"allow","action":["start"]}]' }, 422, /action/],
  ...["sales/nothing", "nothing/orders", "nothing/tables_with_views", "sales/nothing/partitions"].map((path): Case => {
    return [`GET /hive/${path}`, undefined, 404, /nothing/];
  }),
];

describe.each([
  ["specified operations", specified, cases],
  ["extended operations", extended, extendedCases],
])("%s", (_title, on, rows) => {
  test.each(rows)("%s with %j answers %i %s, and nothing changes", async (name, change, status, message) => {
    const good = goodCalls[name] ?? callOf(["", name, ""]);
    const body = change && JSON.parse(JSON.stringify({ ...(good.body as object), ...change }));
    const before = on.emulator.state({ secrets: true });
    expect(await on.as("admin", { ...good, body })).toMatchObject({ status, body: refusal(status, message) });
    expect(on.emulator.state({ secrets: true })).toEqual(before);
  });
});

describe("account creation", () => {
  const wrong = {
    ...{ name: [undefined], level: ["gold"], compute_type: ["MANAGED"], storage_type: ["MANAGED"] },
    ...{ CacheQuotaSizeInGB: ["25"], aws_region: ["eu-west-9"], idle_cluster_timeout: [7, -1] },
    ...{ idle_cluster_timeout_in_secs: [299], idle_session_timeout: [10801], sub_account_creation: ["true"] },
  };
  const paths = ["/account", "/api/v2/accounts"];
  test.each(perValue(wrong))("rejects %j in both versions", async (change, message) => {
    for (const path of paths)
      expect(await post(path, { account: { name: "x", ...change } })).toMatchObject({
        status: 422,
        body: refusal(422, message),
      });
  });

  test("each version only accepts its own credential names", async () => {
    const keys = [
      { storage_access_key: "k", storage_secret_key: "s" },
      { acc_key: "k", secret: "s" },
    ];
    for (const [index, path] of paths.entries())
      expect((await post(path, { account: { name: "x", ...keys[index] } })).status).toBe(422);
  });

  test("features need to be enabled", async () => {
    const seconds = { account: { name: "x", idle_cluster_timeout_in_secs: 300 } };
    for (const [path, body] of [
      ["/api/v2/accounts", seconds],
      ["/db_taps", { ...dataStore, catalog_name: "c1" }],
    ] as const)
      for (const [alias, status] of [
        ["otherAdmin", 422],
        ["admin", 200],
      ] as const)
        expect((await post(path, body, alias)).status, `${path} of ${alias}`).toBe(status);
  });
});

describe("any bad request gets an error body, never a stack trace", () => {
  const odd: [status: number, call: string, ...bodies: unknown[]][] = [
    ...["/", "/api/v1.2/nothing", "/api/v3/whitelist_ip", "/api/v1.2//whitelist_ip", "/api/v1.2/commands/1"].map(
      (path): [number, string] => [404, `GET ${path}`],
    ),
    [404, "GET /_emulator/nothing"],
    [405, "POST /api/v1/commands", {}],
    [405, "PUT /api/v1.2/whitelist_ip", {}],
    [404, "DELETE /api/v1.2/whitelist_ip/x"],
    [404, "DELETE /api/v1.2/whitelist_ip/50,"],
    [400, "DELETE /api/v1.2/whitelist_ip/%zz"],
    [400, "POST /api/v1.2/whitelist_ip", "{", "[]", "7", "null"],
    [422, "POST /api/v1.2/whitelist_ip"],
    [413, "POST /api/v1.2/whitelist_ip", { ip_cidr: "x".repeat(30_000) }],
    [404, "POST /api/v1.2/package/x/add_packages", goodCalls["package.add"]!.body],
    [404, "PUT /api/v1.2/groups/999/roles/301/assign", {}],
    [404, "PUT /api/v1.2/groups/205/roles/999/assign", {}],
    [404, "PUT /api/v1.2/groups/205/roles/no%20such/unassign", {}],
    [422, "GET /api/v1.2/hive/default?filter=("],
    [422, "GET /api/v1.2/hive/default?describe=false"],
    [422, "POST /_emulator/faults", { rules: [{ kind: "flood" }] }],
    [422, "POST /_emulator/reset", { accounts: [] }],
    [422, "POST /_emulator/clock", { mode: "lunar" }],
  ];
  test.each(odd)("%i for %s", async (status, call, ...bodies) => {
    const [method, path] = call.split(" ") as [Call["method"], string];
    for (const body of bodies.length > 0 ? bodies : [undefined])
      expect(await admin({ method, path, body }), JSON.stringify(body)).toMatchObject({
        status,
        body: refusal(status, /^(?!.*\bat \S+:\d+)./s),
      });
  });

  test("a body that is not declared as JSON", async () => {
    const { statusCode } = await request(`${emulator.url}/api/v1.2/whitelist_ip`, {
      reset: true,
      method: "POST",
      headers: { "x-auth-token": emulator.tokens.admin!, "content-type": "text/plain" },
      body: '{"ip_cidr":"192.0.2.1"}',
    });
    expect(statusCode).toBe(400);
  });

  test("a client that disconnects mid-request does no harm", async () => {
    const socket = connect(emulator.port, "127.0.0.1");
    socket.write("POST /api/v1.2/whitelist_ip HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await new Promise((wait) => setTimeout(wait, 30));
    socket.resetAndDestroy();
    expect((await admin(goodCalls["whitelist.list"]!)).status).toBe(200);
  });

  test("something that is not HTTP", async () => {
    const socket = connect(emulator.port, "127.0.0.1");
    socket.end("hello\r\n\r\n");
    let text = "";
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 .*"error_code":400/s);
  });
});
