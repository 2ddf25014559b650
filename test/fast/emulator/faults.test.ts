import { describe, expect, test } from "vitest";
import type { Faults } from "../../../emulator";
import { goodCalls, send, testEmulator } from "./calls";

const { emulator, control, as } = testEmulator();

type Rule = Faults["rules"][number];

const setFaults = (rules: Rule[], seed?: number) =>
  control("POST", "/faults", { rules, ...(seed !== undefined && { seed }) });
const call = (operation: string) => as("admin", goodCalls[operation]!);
const add = () => call("whitelist.add");
const list = () => call("whitelist.list");
const entries = () => emulator.state().accounts[0]?.whitelist.length;

describe("kinds", () => {
  const page = expect.stringContaining("<html>");
  const elsewhere = { location: "http://example.com/" };
  test.each<[Rule, answer: object, added: number]>([
    [{ kind: "429", retryAfter: 7, body: "" }, { status: 429, headers: { "retry-after": "7" }, body: "" }, 0],
    [{ kind: "empty" }, { status: 200, body: "" }, 0],
    [{ kind: "empty", status: 502 }, { status: 502, body: "" }, 0],
    [{ kind: "html" }, { status: 200, body: page }, 0],
    [{ kind: "html", status: 503, work: "do" }, { status: 503, body: page }, 1],
    [{ kind: "respond", body: "[1", status: 201 }, { status: 201, body: "[1" }, 0],
    [{ kind: "respond", body: { odd: true } }, { status: 200, body: { odd: true } }, 0],
    [{ kind: "respond", status: 302, headers: elsewhere }, { status: 302, headers: elsewhere }, 0],
    [{ kind: "503", work: "do" }, { status: 503, body: expect.anything() }, 1],
  ])("%j", async (rule, answer, added) => {
    await setFaults([rule]);
    expect(await add()).toMatchObject(answer);
    expect(entries()).toBe(added);
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
