import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { request } from "../../harness/http";
import { ScriptedServer } from "../../harness/scripted-server";
import { type Program, TestStack } from "../../harness/stack";

let emulator: Emulator;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startEmulator();
});
beforeEach(async () => {
  emulator.clearFaults();
  emulator.reset();
  stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
});
afterEach(() => stack?.remove());
afterAll(() => emulator?.close());

const entries = () => emulator.state().accounts.find(({ id }) => id === 1001)!.whitelist;
const ip = (ipCidr: string, adopt?: boolean) => ({
  type: "WhitelistedIp",
  args: { ipCidr, ...(adopt === undefined ? {} : { adopt }) },
});

describe("an address that is already listed", () => {
  test("is an error that says how to import it; adopt takes it over; declaring it twice is an error", async () => {
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "2001:DB8::7" });
    const [listed] = entries();
    const refused = await stack.up({ it: ip("2001:db8::7") });
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain(`2001:db8::7 is already whitelisted (id ${listed!.id})`);
    expect(refused.text).toContain(`pulumi import dataplatform:index:WhitelistedIp <name> ${listed!.id}`);
    expect((await stack.exportState()).resources).toEqual([]);

    const adopted = await stack.up({ it: ip("2001:db8::7", true) });
    expect(adopted.code, adopted.text).toBe(0);
    expect((await stack.exportState()).resources[0]!.id).toBe(String(listed!.id));
    expect(entries()).toHaveLength(1);

    const twice = await stack.preview({ it: ip("2001:db8::7", true), again: ip("2001:db8:0::7") });
    expect(twice.code).not.toBe(0);
    expect(twice.text).toMatch(/declares the address 2001:db8::7, which WhitelistedIp "(it|again)" in this program/);
    expect(entries()).toHaveLength(1);
  });
});

test("an address listed in two spellings: both entries exist, so a refresh keeps either", async () => {
  const platform = await ScriptedServer.start();
  try {
    await stack.up({ it: ip("203.0.113.7") });
    const [own] = entries();
    const listed = { ...own, account_id: 1001 };
    const twin = { ...listed, id: own!.id + 1, ip_cidr: "203.0.113.7/32" };
    platform.script({ body: { account_whitelisted_ips: [listed, twin] } });
    stack.env["DATAPLATFORM_BASE_URL"] = platform.url;
    const refreshed = await stack.refresh();
    expect(refreshed.code, refreshed.text).toBe(0);
    expect((await stack.exportState()).resources.map(({ id }) => id)).toEqual([String(own!.id)]);
  } finally {
    await platform.stop();
  }
});

describe("a hundred addresses", () => {
  test("need few calls: one list for the refresh, batched deletes for the destroy", async () => {
    // A destroy can only batch what is in flight together, so raise the engine's parallelism.
    stack.env["PULUMI_PARALLEL"] = "128";
    const program: Program = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`ip-${index}`, ip(`198.51.100.${index}`)]),
    );
    const up = await stack.up(program);
    expect(up.code, up.text).toBe(0);
    expect(entries()).toHaveLength(100);
    expect(emulator.requests().counts["whitelist.add"]).toBe(100);

    emulator.clearRequests();
    expect((await stack.refresh()).summary).toMatchObject({ same: expect.any(Number) });
    const few = expect.toSatisfy((count: number) => count <= 2);
    expect(emulator.requests().counts).toEqual({ "account.view": 1, "whitelist.list": few });

    emulator.clearRequests();
    expect((await stack.destroy()).code).toBe(0);
    expect(entries()).toEqual([]);
    expect(emulator.requests().counts["whitelist.delete"]).toBeLessThanOrEqual(8);
  });
});

describe("faults", () => {
  test("an answer lost after the work: the entry is found, and the stack owns it", async () => {
    emulator.setFaults({ rules: [{ operation: "whitelist.add", nth: 1, kind: "reset-after" }] });
    const up = await stack.up({ it: ip("203.0.113.7") });
    expect(up.code, up.text).toBe(0);
    expect(entries().map(({ ip_cidr }) => ip_cidr)).toEqual(["203.0.113.7"]);
    expect((await stack.exportState()).resources.map(({ id }) => id)).toEqual([String(entries()[0]!.id)]);
  });

  test.each(["503"] as const)("%s before the work: nothing is sent twice, and the next up adds it", async (kind) => {
    emulator.setFaults({ rules: [{ operation: "whitelist.add", nth: 1, kind }] });
    const failed = await stack.up({ it: ip("203.0.113.7") });
    expect(failed.code).not.toBe(0);
    expect(failed.text).toContain('It may be on the list: run "pulumi up" again to find or add it');
    expect([entries().length, emulator.requests().counts["whitelist.add"]]).toEqual([0, 1]);
    const up = await stack.up();
    expect(up.code, up.text).toBe(0);
    expect(entries().map(({ ip_cidr }) => ip_cidr)).toEqual(["203.0.113.7"]);
    const destroyed = await stack.destroy();
    expect(destroyed.code, destroyed.text).toBe(0);
    expect(entries()).toEqual([]);
  });

  test("a missing entry does not stop the destroy of the others", async () => {
    await stack.up({ a: ip("203.0.113.7"), b: ip("203.0.113.8") });
    await request(emulator, "DELETE", `/api/v1.2/whitelist_ip/${entries()[0]!.id}`);
    const destroy = await stack.destroy();
    expect(destroy.code, destroy.text).toBe(0);
    expect(entries()).toEqual([]);
  });
});

describe("errors that stop everything are clear, and leave the state untouched", () => {
  // They share a platform and a stack, because none of them changes anything.
  let emulator: Emulator;
  let stack: TestStack;
  beforeAll(async () => {
    emulator = await startEmulator();
    stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
    await stack.up({ it: ip("203.0.113.7") });
    stack.write({ it: ip("203.0.113.8") });
  });
  afterAll(async () => {
    stack?.remove();
    await emulator?.close();
  });

  const failing = async (env: NodeJS.ProcessEnv, says: RegExp) => {
    const before = await stack.exportState();
    const good = { ...stack.env };
    Object.assign(stack.env, env);
    const refreshed = await stack.refresh();
    const updated = await stack.up();
    Object.assign(stack.env, good);
    for (const outcome of [refreshed, updated]) {
      expect(outcome.code).not.toBe(0);
      expect(outcome.text).toMatch(says);
      expect(outcome.text, "no stack trace").not.toMatch(/\n\s+at .*\.js:\d+/);
    }
    const after = await stack.exportState();
    expect(after.resources.map(({ id, outputs }) => ({ id, outputs }))).toEqual(
      before.resources.map(({ id, outputs }) => ({ id, outputs })),
    );
    expect(emulator.state().accounts.find(({ id }) => id === 1001)!.whitelist).toHaveLength(1);
  };

  test("no token", () => failing({ DATAPLATFORM_API_TOKEN: "" }, /dataplatform:apiToken.*DATAPLATFORM_API_TOKEN/));
  test("a wrong token", () => failing({ DATAPLATFORM_API_TOKEN: "wrong-token-value" }, /rejected the token \(401\)/));
  test("an unreachable server", () =>
    failing(
      { DATAPLATFORM_BASE_URL: "http://127.0.0.1:9", DATAPLATFORM_RETRIES: "1" },
      /cannot reach .* \(ECONNREFUSED\)/,
    ));
  test("a token over plain http to another host", () =>
    failing({ DATAPLATFORM_BASE_URL: "http://platform.example.com" }, /plain http would send the token unencrypted/));
  test("HTML instead of JSON", async () => {
    const page = await ScriptedServer.start();
    page.script({ body: "<html>Please log in</html>" });
    await failing(
      { DATAPLATFORM_BASE_URL: page.url, DATAPLATFORM_RETRIES: "1" },
      /the platform's response is not JSON/,
    );
    await page.stop();
  });
});
