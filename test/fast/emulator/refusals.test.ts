import { connect } from "node:net";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { type Call, dataStore, goodCalls, putEntry, refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { emulator, as } = testEmulator({ maxBodyBytes: 20_000 }, ({ url }) => putEntry(url));

const admin = (call: Call) => as("admin", call);

/** The valid call of an operation with some values changed; `undefined` removes one. */
function changed(operation: string, change: Record<string, unknown>): Call {
  const call = goodCalls[operation]!;
  return { ...call, body: JSON.parse(JSON.stringify({ ...(call.body as object), ...change })) };
}

type Case = [operation: string, change: Record<string, unknown>, status: number, message: RegExp];

const badAddresses = [
  ...["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4/33", "1.2.3.4/", "1.2.3.4/-1", "1.2.3.4/8/8"],
  ...["::1/129", ":::1", "g::1", "fe80::1%eth0", "[::1]", "::1/08"],
  ...["example.com", " 1.2.3.4", "1.2.3.4 ", "1.2.3.4,5.6.7.8"],
];

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
  ...badAddresses.map((ip_cidr): Case => ["whitelist.add", { ip_cidr }, 422, /ip_cidr/]),
  ["whitelist.add", { ip_cidr: 7 }, 422, /ip_cidr/],
  ["whitelist.add", { ip_cidr: undefined }, 422, /ip_cidr/],
  ["whitelist.add", { ip_cidr: "198.51.100.50" }, 409, /already/],
  ["whitelist.add", { ip_cidr: "198.51.100.50/32" }, 409, /already/],
  ["dbTaps.create", { db_name: undefined }, 422, /db_name/],
  ["dbTaps.create", { db_host: 5 }, 422, /db_host/],
  ["dbTaps.create", { port: "3306" }, 422, /port/],
  ["dbTaps.create", { port: 70000 }, 422, /port/],
  ["dbTaps.create", { db_type: "oracle" }, 422, /db_type/],
  ["dbTaps.create", { db_location: "mars" }, 422, /db_location/],
  ["dbTaps.create", { catalog_name: "Has_Capitals" }, 422, /catalog_name/],
  ["dbTaps.create", { catalog_name: "c1", db_type: "mongo" }, 422, /catalog_name/],
  ["dbTaps.create", { catalog_name: "c1", db_type: "vertica" }, 422, /catalog_name/],
  ["dbTaps.create", { skip_validation: "yes" }, 422, /skip_validation/],
  ["dbTaps.create", gateway, 422, /on-premise/],
  ["dbTaps.create", { gateway_port: 22 }, 422, /on-premise/],
  ...Object.keys(gateway).map((name): Case => {
    return ["dbTaps.create", { db_location: "on-premise", ...gateway, [name]: undefined }, 422, new RegExp(name)];
  }),
  ["dbTaps.create", { db_host: "unreachable.example.com" }, 422, /cannot connect/],
  ["partitionSensor.create", { table: "absent" }, 422, /metastore/],
  ["partitionSensor.create", { schema: undefined }, 422, /schema/],
  ["partitionSensor.create", { columns: "dt" }, 422, /columns/],
  ["partitionSensor.create", { columns: [{ column: "dt", values: "2024-01-01" }] }, 422, /values/],
  ["partitionSensor.create", { columns: [{ column: "moon", values: ["x"] }] }, 422, /moon/],
  ["package.add", { source_type: undefined }, 422, /source_type/],
  ["package.add", { source_type: "ruby_gem" }, 422, /source_type/],
  ["package.add", { package_names: ["numpy"] }, 422, /package_names/],
  ["package.add", { package_names: "numpy=1" }, 422, /package_names/],
  ["package.add", { package_names: "numpy,,scipy" }, 422, /package_names/],
  ["package.add", { package_names: undefined }, 422, /package_names/],
  ["package.add", { repo_url: "https://cran.example.com" }, 422, /R packages/],
  ["package.add", { source_type: "r_package", repo_packages: [] }, 422, /repo_packages/],
  ["package.add", { source_type: "r_package", repo_packages: "nope" }, 422, /JSON-encoded/],
  ["package.add", { source_type: "r_package", repo_packages: '[{"name":"a"}]' }, 422, /repo_url/],
  ["package.remove", { package_names: undefined }, 422, /package_names/],
  ["folders.rename", { folder_id: 701 }, 422, /folder_id/],
  ["folders.rename", { folder_id: "999" }, 404, /999/],
  ["folders.rename", { location: "Elsewhere" }, 404, /Elsewhere/],
  ["folders.rename", { type: "notebook_dashboards" }, 404, /notebook_dashboards/],
  ["folders.rename", { type: "drawers" }, 422, /type/],
  ["folders.rename", { name: "" }, 422, /name/],
  ["folders.rename", { name: "a/b" }, 422, /name/],
  ["folders.policy", { location: "Elsewhere" }, 404, /Elsewhere/],
  ["folders.policy", { source_type: "folder" }, 422, /source_type/],
  ["folders.policy", { policy: [{ access: "allow" }] }, 422, /policy/],
  ...policies.map(([policy, message]): Case => ["folders.policy", { policy }, 422, message]),
  ...policies.map(([policy, message]): Case => ["objectPolicy.set", { policy }, 422, message]),
  ["objectPolicy.set", { policy: '[{"access":"allow","action":["write"]}]' }, 422, /action/],
  ["objectPolicy.set", { source_id: 501 }, 422, /source_id/],
  ["objectPolicy.set", { source_id: "999" }, 404, /999/],
  ["objectPolicy.set", { source_type: "environment", source_id: "401" }, 422, /source_type/],
  ["objectPolicy.view", { source_id: undefined }, 422, /source_id/],
  ["objectPolicy.view", { source_id: "999" }, 404, /999/],
  ["objectPolicy.view", { source_type: "book" }, 422, /source_type/],
  ["accounts.enableUser", { svc_user_id: 108 }, 422, /svc_user_id/],
  ["accounts.enableUser", { svc_user_id: "nobody@example.com" }, 404, /nobody/],
];

test.each(cases)("%s with %j answers %i %s", async (operation, change, status, message) => {
  const before = emulator.state({ secrets: true });
  const reply = await admin(changed(operation, change));
  expect(reply).toMatchObject({ status, body: refusal(status, message) });
  expect(emulator.state({ secrets: true })).toEqual(before);
});

describe("account creation", () => {
  const accounts: [Record<string, unknown>, RegExp][] = [
    [{ name: undefined }, /name/],
    [{ level: "gold" }, /level/],
    [{ compute_type: "MANAGED" }, /compute_type/],
    [{ storage_type: "MANAGED" }, /storage_type/],
    [{ CacheQuotaSizeInGB: "25" }, /CacheQuotaSizeInGB/],
    [{ aws_region: "eu-west-9" }, /aws_region/],
    [{ idle_cluster_timeout: 7 }, /idle_cluster_timeout/],
    [{ idle_cluster_timeout: -1 }, /idle_cluster_timeout/],
    [{ idle_cluster_timeout_in_secs: 299 }, /idle_cluster_timeout_in_secs/],
    [{ idle_session_timeout: 10801 }, /idle_session_timeout/],
    [{ sub_account_creation: "true" }, /sub_account_creation/],
  ];
  test.each(accounts)("rejects %j in both versions", async (change, message) => {
    for (const path of ["/api/v1.2/account", "/api/v2/accounts"]) {
      const reply = await admin({ method: "POST", path, body: { account: { name: "x", ...change } } });
      expect(reply).toMatchObject({ status: 422, body: refusal(422, message) });
    }
  });

  test("each version only accepts its own credential names", async () => {
    const v1 = { account: { name: "x", acc_key: "k", secret: "s" } };
    const v2 = { account: { name: "x", storage_access_key: "k", storage_secret_key: "s" } };
    expect((await admin({ method: "POST", path: "/api/v1.2/account", body: v2 })).status).toBe(422);
    expect((await admin({ method: "POST", path: "/api/v2/accounts", body: v1 })).status).toBe(422);
  });

  test("features need to be enabled", async () => {
    const other = (call: Call) => as("otherAdmin", call);
    const seconds = { account: { name: "x", idle_cluster_timeout_in_secs: 300 } };
    expect((await other({ method: "POST", path: "/api/v2/accounts", body: seconds })).status).toBe(422);
    expect((await admin({ method: "POST", path: "/api/v2/accounts", body: seconds })).status).toBe(200);
    const catalog = { ...dataStore, catalog_name: "c1" };
    expect((await other({ method: "POST", path: "/api/v1.2/db_taps", body: catalog })).status).toBe(422);
    expect((await admin({ method: "POST", path: "/api/v1.2/db_taps", body: catalog })).status).toBe(200);
  });
});

describe("any bad request gets an error body, never a stack trace", () => {
  const odd: [Call, number][] = [
    [{ method: "GET", path: "/" }, 404],
    [{ method: "GET", path: "/api/v1.2/nothing" }, 404],
    [{ method: "GET", path: "/api/v3/whitelist_ip" }, 404],
    [{ method: "GET", path: "/api/v1.2//whitelist_ip" }, 404],
    [{ method: "GET", path: "/api/v1.2/commands/1" }, 404],
    [{ method: "POST", path: "/api/v1/commands", body: {} }, 405],
    [{ method: "PUT", path: "/api/v1.2/whitelist_ip", body: {} }, 405],
    [{ method: "DELETE", path: "/api/v1.2/whitelist_ip/x" }, 404],
    [{ method: "DELETE", path: "/api/v1.2/whitelist_ip/50," }, 404],
    [{ method: "DELETE", path: "/api/v1.2/whitelist_ip/%zz" }, 400],
    [{ method: "POST", path: "/api/v1.2/whitelist_ip", body: "{" }, 400],
    [{ method: "POST", path: "/api/v1.2/whitelist_ip", body: "[]" }, 400],
    [{ method: "POST", path: "/api/v1.2/whitelist_ip", body: "7" }, 400],
    [{ method: "POST", path: "/api/v1.2/whitelist_ip", body: "null" }, 400],
    [{ method: "POST", path: "/api/v1.2/whitelist_ip" }, 422],
    [{ method: "POST", path: "/api/v1.2/whitelist_ip", body: { ip_cidr: "x".repeat(30_000) } }, 413],
    [{ method: "POST", path: "/api/v1.2/package/x/add_packages", body: goodCalls["package.add"]!.body }, 404],
    [{ method: "PUT", path: "/api/v1.2/groups/999/roles/301/assign", body: {} }, 404],
    [{ method: "PUT", path: "/api/v1.2/groups/205/roles/999/assign", body: {} }, 404],
    [{ method: "PUT", path: "/api/v1.2/groups/205/roles/no%20such/unassign", body: {} }, 404],
    [{ method: "GET", path: "/api/v1.2/hive/default?filter=(" }, 422],
    [{ method: "GET", path: "/api/v1.2/hive/default?describe=false" }, 422],
    [{ method: "GET", path: "/_emulator/nothing" }, 404],
    [{ method: "POST", path: "/_emulator/faults", body: { rules: [{ kind: "flood" }] } }, 422],
    [{ method: "POST", path: "/_emulator/reset", body: { accounts: [] } }, 422],
    [{ method: "POST", path: "/_emulator/clock", body: { mode: "lunar" } }, 422],
  ];
  test.each(odd)("%j → %i", async (call, status) => {
    const reply = await admin(call);
    expect(reply).toMatchObject({ status, body: refusal(status, /^(?!.*\bat \S+:\d+)./s) });
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
