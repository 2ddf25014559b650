import { request } from "undici";
import { describe, expect, test } from "vitest";
import type { Faults } from "../../../emulator";
import { goodCalls, send } from "./calls";
import { testEmulator } from "./test-emulator";

const { emulator, control, as } = testEmulator();

type Rule = Faults["rules"][number];

const setFaults = (rules: Rule[], seed?: number) =>
  control("POST", "/faults", { rules, ...(seed !== undefined && { seed }) });
const call = (operation: string) => as("admin", goodCalls[operation]!);
const add = () => call("whitelist.add");
const list = () => call("whitelist.list");
const entries = () => emulator.state().accounts[0]?.whitelist.length;

describe("kinds", () => {
  test("429 with Retry-After and without a body", async () => {
    await setFaults([{ kind: "429", retryAfter: 7, body: "" }]);
    expect(await add()).toMatchObject({ status: 429, headers: { "retry-after": "7" }, body: "" });
  });

  test.each([
    [{ kind: "empty" }, 200, /^$/, 0],
    [{ kind: "empty", status: 502 }, 502, /^$/, 0],
    [{ kind: "html" }, 200, /<html>/, 0],
    [{ kind: "html", status: 503, work: "do" }, 503, /<html>/, 1],
    [{ kind: "respond", body: "[1", status: 201 }, 201, /^\[1$/, 0],
    [{ kind: "respond", body: { odd: true } }, 200, /^\{"odd":true\}$/, 0],
    [{ kind: "503", work: "do" }, 503, /503/, 1],
  ] as [Rule, number, RegExp, number][])("%j", async (rule, status, text, left) => {
    await setFaults([rule]);
    const response = await request(`${emulator.url}/api/v1.2/whitelist_ip`, {
      reset: true,
      method: "POST",
      headers: { "x-auth-token": emulator.tokens.admin!, "content-type": "application/json" },
      body: JSON.stringify({ ip_cidr: "192.0.2.1" }),
    });
    expect(response.statusCode).toBe(status);
    expect(await response.body.text()).toMatch(text);
    expect(entries()).toBe(left);
  });

  test.each([
    ["reset-before", 0],
    ["reset-after", 1],
    ["truncated", 1],
  ] as const)("%s resets the connection with %i entries created", async (kind, left) => {
    await setFaults([{ kind, operation: "whitelist.add" }]);
    await expect(add()).rejects.toThrow();
    expect(entries()).toBe(left);
    expect((await list()).status).toBe(200);
  });

  test("respond can set headers", async () => {
    await setFaults([{ kind: "respond", status: 302, headers: { location: "http://example.com/" } }]);
    expect(await list()).toMatchObject({ status: 302, headers: { location: "http://example.com/" } });
  });

  test("latency applies to all operations, and adds to other faults", async () => {
    await setFaults([
      { kind: "latency", latencyMs: 60 },
      { kind: "503", operation: "whitelist.add" },
    ]);
    for (const [operation, status] of [
      ["whitelist.list", 200],
      ["whitelist.add", 503],
    ] as const) {
      const before = performance.now();
      expect((await call(operation)).status).toBe(status);
      expect(performance.now() - before).toBeGreaterThan(55);
    }
  });
});

describe("matching calls", () => {
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index += 1) seen.push((await list()).status);
    return seen;
  };

  test("by operation and method", async () => {
    await setFaults([
      { kind: "503", operation: ["whitelist.add", "account.view"] },
      { kind: "500", method: "PUT" },
    ]);
    expect((await add()).status).toBe(503);
    expect((await call("account.view")).status).toBe(503);
    expect((await list()).status).toBe(200);
    expect((await call("groups.assignRole")).status).toBe(500);
  });

  test("by probability, reproducible with the same seed", async () => {
    const run = async (seed: number) => {
      await setFaults([{ kind: "503", probability: 0.5 }], seed);
      return statuses(40);
    };
    const first = await run(7);
    expect(await run(7)).toEqual(first);
    expect(await run(8)).not.toEqual(first);
    expect(first.filter((status) => status === 503).length).toBeGreaterThan(8);
    expect(first.filter((status) => status === 503).length).toBeLessThan(32);
  });

  test("unknown paths count too, control does not", async () => {
    await setFaults([{ kind: "503" }]);
    expect((await send(emulator.url, undefined, { method: "GET", path: "/nothing" })).status).toBe(503);
    expect((await control("GET", "/health")).status).toBe(200);
  });

  test("the report counts matches, and DELETE removes the faults", async () => {
    await setFaults([{ kind: "503", times: 1 }]);
    await statuses(3);
    expect((await control("GET", "/faults")).body.rules).toMatchObject([{ matched: 3, fired: 1 }]);
    await setFaults([{ kind: "503" }]);
    await control("DELETE", "/faults");
    expect(await statuses(1)).toEqual([200]);
  });
});
