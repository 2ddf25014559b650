import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { accountOf, answers, freshEmulator, ownEmulator, refusal, writesTo } from "../../harness/emulators";
import { request } from "../../harness/http";
import { failureOf, inProcess } from "../../harness/in-process";

const address = "203.0.113.7";
const args = { ipCidr: address, description: "office" };
const plain = freshEmulator();

const none = { account_whitelisted_ips: [] };
const looksFrom = (first: number, looks: number) => Array.from({ length: looks }, (_, index) => index + first);

describe("a list that still shows what this run has deleted", () => {
  const emulator = freshEmulator({ extended: true });
  const on = () => inProcess(whitelistedIp, emulator, { extended: true, hurried: true }).life;
  const entry = () => accountOf(emulator).whitelist[0]!;
  const list = () => ({ account_whitelisted_ips: [{ ...entry(), account_id: 1001 }] });
  /** The list as it is now, for so many looks. */
  const stale = (times: number, body = list()) => {
    answers(emulator, "whitelist.listV2", 200, body, { times });
    emulator.clearRequests();
  };

  test.each([{ ...args, description: "other", adopt: true }, args])(
    "is not taken for the new entry: %j",
    async (wanted) => {
      const old = await on().create(args);
      stale(5);
      const life = on();
      // A replacement that deletes first.
      if (wanted === args) await life.delete(old.id, old.state);
      const { id } = await life.create(wanted);
      expect([id, id === old.id]).toEqual([String(entry().id), false]);
      expect(entry()).toMatchObject({ ip_cidr: address, description: wanted.description });
    },
  );

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
    answers(emulator, "whitelist.listV2", 200, body, { nth: [2, 3, 4] });
    expect((await on().create({ ...args, description: "other", adopt: true })).id).toBe(id);
  });

  test("is no reason to give up at a destroy", async () => {
    const { id, state } = await on().create(args);
    stale(3);
    await request(emulator, "DELETE", `/api/v2/accounts/whitelist_ip/${id}`);
    await on().delete(id, state);
  });
});

describe("a list that shows what was accepted late", () => {
  const lists = () => plain.requests(0).counts["whitelist.list"];
  /** The list as it was before, for so many looks after the add. */
  const late = (looks: number) => {
    answers(plain, "whitelist.list", 200, none, { nth: looksFrom(2, looks) });
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
    const shown = { operation: "whitelist.list", kind: "respond", status: 200, body: none } as const;
    plain.setFaults({ rules: [{ operation: "whitelist.add", kind: "503" }, shown] });
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
      answers(emulator, list, 200, none, { nth: looksFrom(2, 99) });
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

describe("an address that is there already, as a 409 says, and the list shows it late", () => {
  const late = async (looks: number, ...more: ReturnType<typeof says>[]) => {
    await request(plain, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: address });
    const shown = { operation: "whitelist.list", kind: "respond", status: 200, body: none } as const;
    plain.setFaults({ rules: [{ ...shown, nth: looksFrom(1, looks) }, ...more] });
    plain.clearRequests();
  };
  const says = (body: object) => ({ operation: "whitelist.add", kind: "respond", status: 409, body }) as const;
  const on = (definition: AnyResource) => inProcess(definition, plain, { hurried: true }).life;
  const sent = () => writesTo(plain).filter((write) => write.startsWith("POST")).length;

  test.each([undefined, {}, refusal("Duplicate entry", 409)])(
    "is taken over, where the program adopts (the words: %j)",
    async (body) => {
      await late(6, ...(body ? [says(body)] : []));
      const { id } = await on(whitelistedIp).create({ ipCidr: address, adopt: true });
      expect([id, sent()]).toEqual([String(accountOf(plain).whitelist[0]!.id), 1]);
    },
  );

  test("is refused by name and id, where it does not", async () => {
    await late(6);
    await expect(on(whitelistedIp).create({ ipCidr: address })).rejects.toThrow(
      /is already whitelisted \(id \d+\).*adopt/,
    );
    expect(sent()).toBe(1);
  });

  test.each([true, false])("belongs to the set (adopt: %s)", async (adopt) => {
    await late(6);
    const { state } = await on(ipWhitelist).create({ addresses: [address, "203.0.113.8"], adopt });
    expect([state["adopted"], sent()]).toEqual([adopt ? [] : [address], 2]);
  });

  test.each([
    [whitelistedIp, { ipCidr: address, adopt: true }],
    [ipWhitelist, { addresses: [address] }],
  ] as const)("is not waited for without end ($type)", async (definition, inputs) => {
    await late(99);
    await expect(on(definition as AnyResource).create(inputs)).rejects.toThrow(
      /409.*is already whitelisted\. The list does not show 203\.0\.113\.7 yet; run "pulumi up" again/,
    );
    expect(sent()).toBe(1);
    expect(plain.requests(0).counts["whitelist.list"]).toSatisfy((looks) => looks === 9 || looks === 10);
  });

  test("another 409 is an error at once", async () => {
    await late(99, says(refusal("the limit of 10 addresses is reached", 409)));
    const limit = "the limit of 10 addresses is reached";
    await expect(on(whitelistedIp).create({ ipCidr: "203.0.113.9", adopt: true })).rejects.toThrow(limit);
    await expect(on(ipWhitelist).create({ addresses: ["203.0.113.9"] })).rejects.toThrow(limit);
    expect(plain.requests(0).counts["whitelist.list"]).toBeLessThan(6);
  });
});
