import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { accountOf, freshEmulator, ownEmulator } from "../../harness/emulators";
import { failureOf, inProcess } from "../../harness/in-process";

const address = "203.0.113.7";
const args = { ipCidr: address, description: "office" };
const plain = freshEmulator();

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
