import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Declarations } from "../../../provider/core/declarations";
import type { AnyResource } from "../../../provider/core/define";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { groupRoleAssignment } from "../../../provider/resources/group-role-assignment";
import { groupRoles } from "../../../provider/resources/group-roles";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { rolesOf } from "../../cases/group-role-assignment";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { createdBy, hostAt, inOneRun, inProcess } from "../../harness/in-process";

/** Resources of one stack that share a set of the platform. */

const cases: [AnyResource, Record<string, unknown>, AnyResource, Record<string, unknown>][] = [
  [ipWhitelist, { addresses: ["192.0.2.1"], exclusive: true }, whitelistedIp, { ipCidr: "192.0.2.2" }],
  [
    groupRoles,
    { groupId: 205, roles: ["analyst"], exclusive: true },
    groupRoleAssignment,
    { groupId: 205, role: "data-engineer" },
  ],
];

describe("what one resource has put there is nothing that others did", () => {
  const emulator = freshEmulator({ extended: true });
  test.each(cases)("to a refresh of an exclusive $type", async (whole, args, single, other) => {
    const of = inOneRun(emulator, { extended: true });
    const all = await createdBy(of(whole), args);
    const one = await createdBy(of(single), other);
    const refresh = inOneRun(emulator, { extended: true });
    const found = refresh(whole).life.read(all.id, all.state);
    const [seen] = await Promise.all([found, refresh(single).life.read(one.id, one.state)]);
    expect(seen?.state).toEqual(all.state);
    // By itself, it sees what others did.
    const alone = await inOneRun(emulator, { extended: true })(whole).life.read(all.id, all.state);
    expect(alone?.state).not.toEqual(all.state);
    // An earlier version has recorded it.
    expect((await refresh(whole).life.read(all.id, alone!.state))?.state).toMatchObject(args);
  });
});

describe("without the extended API", () => {
  const emulator = freshEmulator();

  test("a message about one resource does not name what is a secret in another", async () => {
    const host = { ...hostAt(emulator).host, declarations: new Declarations() };
    const said: string[] = [];
    host.log = { info: (message) => void said.push(message), warn: (message) => void said.push(message) };
    const secret = new Lifecycle(whitelistedIp, host, [["ipCidr"]]);
    secret.check({ ipCidr: "192.0.2.77" }, { who: "1", name: "office" });
    await secret.create({ ipCidr: "192.0.2.77" });
    const args = { addresses: ["192.0.2.1"], exclusive: true };
    await new Lifecycle(ipWhitelist, host).create(args);
    expect(said.join()).toContain("left on the whitelist because this run declares it elsewhere: address [secret]");
  });

  test("a delete that is cancelled in its middle is finished: no state can keep a part of it", async () => {
    const { id, state } = await inProcess(groupRoles, emulator).life.create({
      groupId: 205,
      roles: ["analyst", "data-engineer"],
    });
    emulator.setFaults({ rules: [{ operation: "groups.unassignRole", kind: "latency", latencyMs: 100 }] });
    const stop = new AbortController();
    const { life } = inProcess(groupRoles, emulator, { signal: stop.signal });
    const deleting = life.delete(id, state);
    await setTimeout(50);
    stop.abort();
    await deleting;
    expect(rolesOf(emulator.state(), 205)).toEqual([]);
    await expect(life.delete(id, state)).rejects.toThrow("cancelled");
  });

  test("an address that the list still shows after its removal is added again", async () => {
    const { life } = inProcess(whitelistedIp, emulator);
    const args = { ipCidr: "192.0.2.7", adopt: true };
    const { id, state } = await life.create(args);
    const stale = { account_whitelisted_ips: [...accountOf(emulator).whitelist] };
    await life.delete(id, state);
    const rule = { operation: "whitelist.list", kind: "respond" as const, status: 200, body: stale, times: 1 };
    emulator.setFaults({ rules: [rule] });
    await life.create(args);
    expect(accountOf(emulator).whitelist.map(({ ip_cidr }) => ip_cidr)).toContain("192.0.2.7");
  });
});
