import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { accountOf, freshEmulator, ownEmulator, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, inProcess } from "../../harness/in-process";

const address = "203.0.113.7";
const args = { ipCidr: address, description: "office" };
const plain = freshEmulator();

const path = "/api/v2/accounts/whitelist_ip";

describe("a list that still shows what this run has deleted", () => {
  const emulator = freshEmulator({ extended: true });
  const on = () => inProcess(whitelistedIp, emulator, { extended: true, hurried: true }).life;
  const entry = () => accountOf(emulator).whitelist[0]!;
  const newId = () => String(entry().id);
  const list = () => ({ account_whitelisted_ips: [{ ...entry(), account_id: 1001 }] });
  /** The list as it is now, for so many looks. */
  const stale = (times: number, body = list()) => {
    const rule = { operation: "whitelist.listV2", kind: "respond", status: 200, body, times } as const;
    emulator.setFaults({ rules: [rule] });
    emulator.clearRequests();
  };

  test("is not taken for the new entry: a description", async () => {
    const old = await on().create(args);
    stale(5);
    const { id } = await on().create({ ...args, description: "other", adopt: true });
    expect([id, id === old.id]).toEqual([newId(), false]);
    expect(entry()).toMatchObject({ ip_cidr: address, description: "other" });
  });

  test("is not taken for the new entry: a replacement that deletes first", async () => {
    const old = await on().create(args);
    stale(5);
    const life = on();
    await life.delete(old.id, old.state);
    const { id } = await life.create(args);
    expect([id, id === old.id]).toEqual([newId(), false]);
  });

  test("nor does an address that the next run finds hide what the last one has added", async () => {
    await on().create(args);
    const before = list();
    stale(99);
    const wanted = { ...args, description: "other", adopt: true };
    const { existing } = await failureOf(on().create(wanted));
    expect(existing.id).toBe(address);
    stale(3, before);
    await on().update(existing.id, existing.state, wanted);
    expect(writesTo(emulator).filter((write) => write.startsWith("POST"))).toEqual([]);
    expect(accountOf(emulator).whitelist).toMatchObject([{ ip_cidr: address, description: "other" }]);
  });

  test("is told from a new entry that has got its id", async () => {
    const { id } = await on().create(args);
    const body = { account_whitelisted_ips: [{ ...entry(), account_id: 1001, description: "other" }] };
    const nth = [2, 3, 4];
    emulator.setFaults({ rules: [{ operation: "whitelist.listV2", kind: "respond", status: 200, body, nth }] });
    expect((await on().create({ ...args, description: "other", adopt: true })).id).toBe(id);
  });

  test("is no reason to give up at a destroy", async () => {
    const { id, state } = await on().create(args);
    stale(3);
    await request(emulator, "DELETE", `${path}/${id}`);
    await on().delete(id, state);
  });
});

describe("a list that shows what was accepted late", () => {
  const lists = () => plain.requests(0).counts["whitelist.list"];
  /** The list as it was before, for so many looks after the add. */
  const late = (looks: number) => {
    const nth = Array.from({ length: looks }, (_, index) => index + 2);
    const body = { account_whitelisted_ips: [] };
    plain.setFaults({ rules: [{ operation: "whitelist.list", kind: "respond", status: 200, body, nth }] });
    plain.clearRequests();
  };

  test.each([
    [whitelistedIp, { ipCidr: address }],
    [ipWhitelist, { addresses: [address] }],
  ] as const)("is waited for ($type)", async (definition, inputs) => {
    late(7);
    await inProcess(definition as AnyResource, plain, { hurried: true }).life.create(inputs);
    expect([accountOf(plain).whitelist.length, lists()]).toEqual([1, 9]);
  });

  test("is not waited for without end: the address is in the state, for the next up", async () => {
    late(8);
    const { life } = inProcess(whitelistedIp, plain, { hurried: true });
    const { message, existing } = await failureOf(life.create({ ipCidr: address }));
    expect(message).toContain("the platform accepted 203.0.113.7 but does not list it yet");
    expect([existing.id, lists()]).toEqual([address, 9]);
  });

  test("an add whose answer was lost is not looked for any longer than before", async () => {
    plain.clearRequests();
    plain.setFaults({
      rules: [
        { operation: "whitelist.add", kind: "503" },
        { operation: "whitelist.list", kind: "respond", status: 200, body: { account_whitelisted_ips: [] } },
      ],
    });
    await failureOf(inProcess(whitelistedIp, plain, { hurried: true }).life.create({ ipCidr: address }));
    expect(lists()).toBe(5);
  });

  test.each([false, true])(
    "a cancel ends the wait, and loses nothing (replaced for a description: %s)",
    async (extended) => {
      const emulator = await ownEmulator({ extended: true });
      const controller = new AbortController();
      const on = (options: object) => inProcess(whitelistedIp, emulator, { extended, ...options }).life;
      if (extended) await on({}).create({ ...args, description: "another" });
      const list = extended ? "whitelist.listV2" : "whitelist.list";
      const rule = { operation: list, kind: "respond", status: 200, body: { account_whitelisted_ips: [] } } as const;
      emulator.setFaults({ rules: [{ ...rule, nth: Array.from({ length: 99 }, (_, index) => index + 2) }] });
      emulator.clearRequests();
      const life = on({ signal: controller.signal });
      const failing = failureOf(life.create(extended ? { ...args, adopt: true } : { ipCidr: address }));
      while ((emulator.requests(0).counts[list] ?? 0) < 2) await new Promise((next) => setTimeout(next, 5));
      controller.abort();
      expect((await failing).existing.id).toBe(address);
      // Without the cancel, it is asked nine times.
      expect(emulator.requests(0).counts[list]).toBeLessThan(9);
      expect(accountOf(emulator).whitelist).toMatchObject([{ ip_cidr: address }]);
    },
  );
});
