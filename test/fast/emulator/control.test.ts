import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startEmulator } from "../../../emulator";
import { fetchOnce } from "../../harness/http";
import { type Call, control as controlOf, dataStore, emulate, goodCalls, send, testEmulator } from "./calls";

const { emulator, control, get: list, post, put, as, account } = testEmulator();

const get = async (path: string) => (await control("GET", path)).body;
const admin = (call: Call) => as("admin", call);

test("can be left out: then only the platform answers", async () => {
  const closed = await startEmulator({ control: false });
  for (const path of ["/_emulator/state?secrets=1", "/_emulator", "/_emulator/health", "/"])
    expect((await fetchOnce(`${closed.url}${path}`, { headers: { accept: "text/html" } })).status, path).toBe(404);
  expect(closed.state().accounts).toHaveLength(2);
  await closed.close();
});

test("health and the list of endpoints", async () => {
  expect(await get("/health")).toMatchObject({ status: "ok", accounts: 2, mode: "real" });
  expect((await get("/")).endpoints).toContain("POST /_emulator/reset");
});

describe("state", () => {
  test("masks secrets unless asked", async () => {
    await post("/db_taps", { ...dataStore, db_passwd: "very-secret" });
    await admin({ ...goodCalls["account.create"]!, body: { account: { name: "N", acc_key: "kkk", secret: "sss" } } });
    const hidden = JSON.stringify(await get("/state"));
    for (const secret of ["very-secret", "kkk", "sss", "analytics-admin", "analytics-storage-secret"])
      expect(hidden).not.toContain(secret);
    const unmasked = await get("/state?secrets=1&account=1001");
    expect(unmasked.accounts).toHaveLength(1);
    expect(unmasked.accounts[0].dataStores[0].db_passwd).toBe("very-secret");
  });

  test("can be used as a seed for reset", async () => {
    await admin(goodCalls["whitelist.add"]!);
    await admin(goodCalls["commands.submit"]!);
    const state = await get("/state?secrets=1");
    emulator.reset();
    expect(await control("POST", "/reset", state)).toMatchObject({ status: 200 });
    expect(await get("/state?secrets=1")).toEqual(state);
  });

  test("records are put and deleted behind the API's back", async () => {
    const table = { schema: "default", name: "fresh", columns: [{ name: "dt", type: "string" }] };
    expect((await control("PUT", "/state/hiveTables", table)).status).toBe(200);
    expect((await admin(goodCalls["hive.list"]!)).body).toContain("fresh");
    expect((await control("DELETE", "/state/hiveTables/default.fresh")).status).toBe(200);
    expect((await admin(goodCalls["hive.list"]!)).body).not.toContain("fresh");
    expect((await control("DELETE", "/state/whitelist/1?account=1002")).status).toBe(200);
    expect(emulator.state({ account: 1002 }).accounts[0]?.whitelist).toHaveLength(1);
  });

  test.each([
    ["PUT", "/state/nothing", {}, 404],
    ["PUT", "/state/groups", { name: 5 }, 422],
    ["PUT", "/state/groups?account=9", { name: "g" }, 404],
    ["DELETE", "/state/groups/9999", undefined, 404],
  ] as const)("%s %s is rejected", async (method, path, body, status) => {
    expect((await control(method, path, body)).status).toBe(status);
  });
});

test("the log of requests counts per operation, and masks secrets", async () => {
  await admin(goodCalls["whitelist.list"]!);
  await admin({ ...goodCalls["whitelist.list"]!, path: "/api/v1.2/whitelist_ip/" });
  await post("/db_taps", { ...dataStore, db_passwd: "very-secret" });
  await send(emulator.url, "wrong", { method: "GET", path: "/nowhere" });
  const log = await get("/requests");
  expect(log).toMatchObject({ total: 4, counts: { "whitelist.list": 2, "dbTaps.create": 1, unknown: 1 } });
  expect(log.bytesIn).toBeGreaterThan(40);
  expect(log.requests[2]).toMatchObject({
    operation: "dbTaps.create",
    method: "POST",
    path: "/api/v1.2/db_taps",
    status: 200,
    account: 1001,
    body: { db_host: "db.example.com", db_passwd: "***" },
  });
  expect(log.requests[3]).toMatchObject({ status: 404, account: null });
  expect(JSON.stringify(log)).not.toContain("very-secret");
  expect((await get("/requests?limit=1")).requests).toHaveLength(1);
  expect((await get("/requests?limit=0")).requests).toHaveLength(0);
  await control("DELETE", "/requests");
  expect(await get("/requests")).toEqual({ counts: {}, total: 0, bytesIn: 0, requests: [] });
});

test("the clock can be stopped, and resumes in real time", async () => {
  const at = "2030-01-01T00:00:00Z";
  expect((await control("POST", "/clock", { mode: "manual", at, advance: 90 })).body).toEqual({
    mode: "manual",
    now: "2030-01-01T00:01:30Z",
  });
  await admin(goodCalls["whitelist.add"]!);
  expect(emulator.state().accounts[0]?.whitelist[0]?.created_at).toBe("2030-01-01T00:01:30Z");
  expect((await control("POST", "/clock", { advance: 30 })).body.now).toBe("2030-01-01T00:02:00Z");
  const { body } = await control("POST", "/clock", { mode: "real" });
  expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(5000);
});

test("a reset keeps the start options", async () => {
  await using own = await emulate({ clock: "manual", waitSeconds: 7 });
  await controlOf(own.url, "POST", "/settings", { waitSeconds: 1 });
  await controlOf(own.url, "POST", "/reset");
  const { body } = await controlOf(own.url, "GET", "/settings");
  expect(body).toMatchObject({ waitSeconds: 7, clock: { mode: "manual" } });
});

describe("seed", () => {
  const withOneToken = [1, 2].map((id) => ({ id, user_id: id, email: "x", token: "same" }));
  test.each([
    [{ accounts: [{ id: 1 }] }, /name/],
    [{ accounts: [{ id: 1, name: "a", wings: 2 }] }, /wings/],
    [{ accounts: ["a", "b"].map((name) => ({ id: 1, name })) }, /duplicate account 1/],
    [{ accounts: [{ id: 1, name: "a", users: withOneToken }] }, /token of user 2/],
  ])("%j is rejected", async (seed, message) => {
    await expect(emulate({ seed: seed as never })).rejects.toThrow(message);
    const { status, body } = await control("POST", "/reset", seed);
    expect(status).toBe(422);
    expect(body.error.error_message).toMatch(message);
    expect(emulator.state().accounts).toHaveLength(2);
  });

  test("a custom seed is used, and reset returns to it", async () => {
    const users = [{ id: 1, user_id: 1, alias: "root", email: "r@example.com", token: "root-token", groups: [1] }];
    const seed = { accounts: [{ id: 5, name: "Own", users, groups: [{ id: 1, name: "system-admin" }] }] };
    await using own = await emulate({ seed });
    expect(own.tokens).toEqual({ root: "root-token" });
    await send(own.url, "root-token", goodCalls["whitelist.add"]!);
    await controlOf(own.url, "POST", "/reset");
    expect((await send(own.url, "root-token", goodCalls["whitelist.list"]!)).body).toEqual({
      account_whitelisted_ips: [],
    });
    expect((await send(own.url, "root-token", goodCalls["account.view"]!)).body).toMatchObject({ id: 5, name: "Own" });
  });
});

test("the page's change by hand changes the policy", async () => {
  const page = readFileSync(join(__dirname, "../../../docs/emulator.md"), "utf8");
  const [, path, token, body] =
    /curl -s -X PUT \S+?(\/api\/\S+) [\s\S]*?X-AUTH-TOKEN: (\S+?)'[\s\S]*?-d '(.*)'/.exec(page) ?? [];
  expect((await put(path!, JSON.parse(body!), token)).status).toBe(200);
  expect(account().objects.find(({ id }) => id === 501)?.policy).toEqual([
    { access: "allow", action: ["all"], condition: { svc_groups: [203] } },
  ]);
});

const answers = () => emulator.requests().requests.map(({ answer }) => answer);

test("answers in the log are dropped if they are long or old", async () => {
  const times = { created_at: "x".repeat(100), updated_at: "" };
  for (let index = 0; index < 120; index += 1)
    await control("PUT", "/state/whitelist", { ip_cidr: `10.0.0.${index}`, ...times });
  await list("/whitelist_ip");
  expect(answers()[0]).toMatch(/^\(\d+ characters\)$/);
  for (let index = 0; index < 500; index += 1) await list("/nothing");
  const { requests } = emulator.requests(501);
  expect(requests[0]).not.toHaveProperty("answer");
  expect(requests[1]).toHaveProperty("answer");
});
