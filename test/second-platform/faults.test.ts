import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SecondPlatform, startSecondPlatform } from ".";
import { api, Tester } from "./probes/tester";

let platform: SecondPlatform;
let t: Tester;

beforeEach(async () => {
  platform = await startSecondPlatform();
  t = new Tester(platform);
});
afterEach(() => t.close());

describe("faults", () => {
  const add = () => t.post(api.whitelist, { ip_cidr: "192.0.2.5" });
  const count = () => platform.state().whitelist.filter((one) => one.ip === "192.0.2.5").length;

  it("happen before or after the work", async () => {
    for (const status of [500, 502, 503, 504, 429, 449]) {
      for (const when of ["before", "after"] as const) {
        const before = count();
        platform.fault({ operation: `POST ${api.whitelist}`, times: 1, kind: { type: "status", status, when } });
        expect((await t.get(api.whitelist)).status).toBe(200);
        expect((await add()).status).toBe(status);
        expect(count() - before).toBe(when === "after" ? 1 : 0);
      }
    }
    for (const when of ["before", "after"] as const) {
      const before = count();
      platform.fault({ operation: /^POST/, times: 1, kind: { type: "reset", when } });
      await expect(add()).rejects.toThrow();
      expect(count() - before).toBe(when === "after" ? 1 : 0);
    }
  });

  it("hang, truncate, delay and send pages", async () => {
    platform.fault({ times: 1, kind: { type: "hang", when: "after" } });
    const hanging = add().catch(() => "cut");
    await expect.poll(count).toBe(1);
    platform.fault({ times: 1, kind: { type: "half answer" } });
    await expect(add()).rejects.toThrow();
    expect(count()).toBe(2);
    for (const status of [200, 404, 502] as const) {
      platform.fault({ times: 1, kind: { type: "html page", status } });
      const reply = await add();
      expect([reply.status, reply.text.startsWith("<!DOCTYPE")]).toEqual([status, true]);
    }
    platform.fault({ times: 1, skip: 1, kind: { type: "proxy 404" } });
    expect([(await add()).status, (await add()).status, (await add()).status]).toEqual([200, 404, 200]);
    platform.fault({ kind: { type: "delay", ms: 30 } });
    const start = performance.now();
    await add();
    expect(performance.now() - start).toBeGreaterThan(28);
    platform.clearFaults();
    await platform.close();
    expect(await hanging).toBe("cut");
  });

  it("are recorded with what was sent", async () => {
    platform.fault({ times: 1, kind: { type: "reset", when: "before" } });
    await add().catch(() => undefined);
    await t.get(api.commands, { query: { page: "1" }, token: "x" });
    expect(platform.requests()).toEqual([
      {
        method: "POST",
        path: api.whitelist,
        query: {},
        body: { ip_cidr: "192.0.2.5" },
        token: platform.tokens.admin,
        status: 0,
      },
      { method: "GET", path: api.commands, query: { page: "1" }, body: undefined, token: "x", status: 401 },
    ]);
    platform.clearRequests();
    expect(platform.requests()).toEqual([]);
  });
});
