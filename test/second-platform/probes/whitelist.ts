import type { whitelist } from "../switches/whitelist";
import { api, at, type Probe, statusAndBody, type Tester, watch } from "./tester";

const add = (t: Tester, ip: string) => t.post(api.whitelist, { ip_cidr: ip });

async function listed(t: Tester): Promise<unknown> {
  const list = at((await t.get(api.whitelist)).json, "account_whitelisted_ips") as { id: unknown; ip_cidr: unknown }[];
  return list.map((one) => [one?.id, one?.ip_cidr]);
}

async function addAndList(t: Tester, ip: string): Promise<unknown> {
  const reply = await add(t, ip);
  return [statusAndBody(reply), await listed(t)];
}

export const whitelistProbes: Record<keyof typeof whitelist, Probe> = {
  whitelistSpelling: async (t) => addAndList(t, "2001:db8:0::b"),
  whitelistRanges: async (t) => addAndList(t, "10.1.2.3/8"),
  whitelistWhiteSpace: async (t) => addAndList(t, " 192.0.2.5 "),
  whitelistInvalid: async (t) => addAndList(t, "nonsense"),
  whitelistRepeat: async (t) => {
    const times = () => t.platform.state().whitelist.map((one) => one.updatedAt > one.createdAt);
    return [await addAndList(t, "203.0.113.10"), times()];
  },
  whitelistSame: async (t) => addAndList(t, "2001:db8:0::a"),
  whitelistRefusals: async (t) => statusAndBody(await add(t, "nonsense")),
  whitelistAddAnswer: async (t) => (await add(t, "192.0.2.5")).text.replace(/\d{4}-[^"]*/g, "time"),
  whitelistDeleteUnknown: async (t) => statusAndBody(await t.delete(`${api.whitelist}/77`)),
  whitelistDeletePartly: async (t) => [(await t.delete(`${api.whitelist}/1,77,2`)).status, await listed(t)],
  whitelistDeleteComma: async (t) => [(await t.delete(`${api.whitelist}/1%2C2`)).status, await listed(t)],
  whitelistAddDelay: async (t) => {
    await add(t, "192.0.2.5");
    return watch(t, async () => ((await listed(t)) as unknown[]).length);
  },
  whitelistDeleteDelay: async (t) => {
    await t.delete(`${api.whitelist}/1`);
    return watch(t, async () => ((await listed(t)) as unknown[]).length);
  },
  whitelistOrder: async (t) => [await listed(t), await listed(t)],
  whitelistOddRecord: async (t) => (await t.get(api.whitelist)).text.replace(/\d{4}-[^"]*/g, "time"),
  whitelistTimes: async (t) => (await t.get(api.whitelist)).text.replace(/\d{4}-[^"]*/g, "time"),
  whitelistEmpty: async (t) => {
    await t.delete(`${api.whitelist}/1,2,3`);
    return statusAndBody(await t.get(api.whitelist));
  },
  whitelistPages: async (t) => [
    (await t.get(api.whitelist)).text.replace(/\d{4}-[^"]*/g, "time"),
    (await t.get(api.whitelist, { query: { page: "2" } })).text.replace(/\d{4}-[^"]*/g, "time"),
  ],
  whitelistScope: async (t) => (await t.get(api.whitelist)).text.replace(/\d{4}-[^"]*/g, "time"),
  whitelistLimit: async (t) => [await addAndList(t, "192.0.2.5"), await addAndList(t, "192.0.2.6")],
  whitelistFeature: async (t) => [
    (await add(t, "192.0.2.5")).status,
    (await t.get(api.whitelist)).status,
    t.platform.state().whitelist.length,
  ],
  whitelistEnforced: async (t) => {
    const before = (await t.get(api.hive)).status;
    await t.delete(`${api.whitelist}/4`);
    return [before, (await t.get(api.hive)).status];
  },
};
