import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { PlatformError } from "../../../provider/api/errors";
import { inParallel } from "../../../provider/api/parallel";
import { failureOf as changeFailure } from "../../../provider/platform/changes";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { accountOf, answers, freshEmulator, writesTo } from "../../harness/emulators";
import { listen, request } from "../../harness/http";
import { createdBy, failureOf, inProcess, partOf } from "../../harness/in-process";

const path = "/api/v1.2/whitelist_ip";
const [office, vpn, foreign] = ["203.0.113.7", "2001:db8::/48", "192.0.2.99"];
const many = Array.from({ length: 60 }, (_, index) => `10.0.0.${index}`);

const emulator = freshEmulator();

const entries = () => accountOf(emulator).whitelist;
const listed = () => entries().map(({ ip_cidr }) => ip_cidr);
const addBehindOurBack = (ip_cidr: string) => request(emulator, "POST", path, { ip_cidr });
const start = (options = {}) => inProcess(ipWhitelist, emulator, options);
const counts = () => emulator.requests(0).counts;

describe("a list with a record that cannot be read", () => {
  const record = { id: 1000, account_id: 1001, ip_cidr: office };
  const shown = (records: readonly object[], more: object = {}) => {
    answers(emulator, "whitelist.list", 200, { account_whitelisted_ips: records, ...more });
  };

  test.each([
    ["a record without an address", [record, { ...record, id: 1001, ip_cidr: null }], {}],
    ["a total of more", [record], { total: 2 }],
  ] as const)(
    "says nothing about what it does not show: nothing is forgotten, nothing sent again (%s)",
    async (_, records, more) => {
      const { id, state } = await start().life.create({ addresses: [office, vpn] });
      shown(records, more);
      emulator.clearRequests();
      const { life: next } = start();
      const says = `it is unclear whether ${vpn} is still listed`;
      await expect(next.read(id, state)).rejects.toThrow(says);
      await expect(next.update(id, state, { addresses: [office, vpn, foreign] })).rejects.toThrow(says);
      await expect(next.delete(id, state)).rejects.toThrow(says);
      await expect(inProcess(whitelistedIp, emulator).life.read(vpn, { ipCidr: vpn })).rejects.toThrow(says);
      expect(writesTo(emulator)).toEqual([]);
    },
  );

  test("does no harm to what it shows, and times in another form are no reason", async () => {
    const { id, state } = await start().life.create({ addresses: [office] });
    const unread = { id: 1001, ip_cidr: null };
    shown([{ ...record, created_at: 1_700_000_000, updated_at: {} }, unread]);
    expect(await start().life.read(id, state)).toEqual({ id, state });
  });
});

test("an account that was not told at first is found out later, and then no other account is touched", async () => {
  const refused = { operation: "account.view", kind: "respond", status: 403 } as const;
  emulator.setFaults({ rules: [refused, { ...refused, operation: "whitelist.list", nth: [2, 3] }] });
  const first = await partOf(start().life.create({ addresses: [office] }));
  expect([first.id, first.state["accountId"]]).toEqual(["whitelist", undefined]);
  emulator.clearFaults();
  const { life } = start();
  const { id, state } = await life.update(first.id, first.state, { addresses: [office, vpn] });
  const seen = await life.read(id, state);
  expect([state["accountId"], seen!.state["accountId"]]).toEqual([1001, 1001]);
  await request(emulator, "POST", path, { ip_cidr: office }, "otherAdmin");
  emulator.clearRequests();
  const { life: other } = start({ token: "otherAdmin" });
  const says = "belongs to account 1001, but the configured token belongs to account 1002";
  await expect(other.update(id, seen!.state, { addresses: [vpn] })).rejects.toThrow(says);
  await expect(other.delete(id, seen!.state)).rejects.toThrow(says);
  expect(writesTo(emulator)).toEqual([]);
});

describe("IpWhitelist and the entries of others", () => {
  test("adopts what is listed, and leaves it when destroyed", async () => {
    await addBehindOurBack("2001:DB8::/48");
    await addBehindOurBack(foreign);
    const { life, said, id, state } = await createdBy(start(), { addresses: [office, vpn] });
    expect({ id, ...state }).toEqual({ id: "1001", addresses: [office, vpn], accountId: 1001, adopted: [vpn] });
    // Removing an adopted address from the program does not delete what somebody else created.
    const left = `1 address on the whitelist, put there by others: ${vpn}`;
    await life.plan(id, state, { addresses: [office] });
    expect(said.warnings.at(-1)).toBe(`IpWhitelist: will leave ${left}`);
    const { state: less } = await life.update(id, state, { addresses: [office] });
    expect(less).toEqual({ addresses: [office], accountId: 1001, adopted: [] });
    expect(said.warnings.at(-1)).toBe(`IpWhitelist: left ${left}`);
    said.warnings.length = 0;
    await life.delete(id, state);
    expect(listed()).toEqual(["2001:DB8::/48", foreign]);
    expect(said.warnings).toEqual([`IpWhitelist: left ${left}`]);
  });

  test("null for an empty list is good enough to add to, and does not mean gone", async () => {
    const showNull = () => answers(emulator, "whitelist.list", 200, { account_whitelisted_ips: null }, { times: 1 });
    showNull();
    const { id, state } = await start().life.create({ addresses: [office] });
    expect(listed()).toEqual([office]);
    // It may also be a mishap.
    showNull();
    await expect(start().life.read(id, state)).rejects.toThrow("the response has no list, so it is unclear whether");
  });
});

test("a preview says once that the platform refuses the token, where nothing changes too", async () => {
  const inputs = { addresses: [office] };
  const { id, state } = await start().life.create(inputs);
  const refusing = { url: emulator.url, tokens: { admin: "nonsense-canary" } };
  const { life, said } = inProcess(ipWhitelist, refusing);
  for (let time = 0; time < 3; time++) await life.plan(id, state, inputs);
  expect(said.warnings).toEqual([expect.stringMatching(/rejected the token \(401\).*Any change would fail$/s)]);
  const first = inProcess(ipWhitelist, refusing);
  await first.life.foresee(undefined, inputs);
  expect(first.said.warnings).toEqual([expect.stringMatching(/cannot preview .*rejected the token \(401\)/s)]);
  expect([...said.warnings, ...first.said.warnings].join()).not.toContain("nonsense-canary");
});

test("a preview does not wait for a platform that does not answer: it warns and goes on", async () => {
  const silent = createServer(() => {});
  const url = await listen(silent);
  const asked = once(silent, "request");
  const { life, said } = inProcess(ipWhitelist, { url, tokens: { admin: "x" } });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const preview = life.foresee(undefined, { addresses: [office] });
    await asked;
    await vi.advanceTimersByTimeAsync(10_000);
    await preview;
    // The clock stands still: the next resource does not wait.
    await life.foresee(undefined, { addresses: [office] });
  } finally {
    vi.useRealTimers();
    silent.closeAllConnections();
    silent.close();
  }
  expect(said.warnings).toEqual([
    expect.stringMatching(
      /^IpWhitelist: cannot preview what this changes on the platform: .*not done within 10 s\. The/,
    ),
  ]);
});

describe("keep", () => {
  test("an exclusive list leaves it", async () => {
    for (const address of [foreign, vpn]) await addBehindOurBack(address);
    await start().life.create({ addresses: [office], exclusive: true, keep: [vpn] });
    expect(listed()).toEqual([vpn, office]);
  });

  test("removing an address in keep is rejected, at preview too, and changes nothing", async () => {
    const { life, id, state } = await createdBy(start(), { addresses: [office, vpn] });
    const inputs = { addresses: [foreign], keep: [office] };
    const refused = `refusing to remove ${office}: in keep but no longer in addresses`;
    await expect(life.plan(id, state, inputs)).rejects.toThrow(refused);
    await expect(life.update(id, state, inputs)).rejects.toThrow(refused);
    expect(listed()).toEqual([office, vpn]);
  });

  test("destroy leaves it, and names it", async () => {
    const { life, said } = start();
    const { id, state } = await life.create({ addresses: [office, vpn], keep: [office] });
    await life.delete(id, state);
    expect(listed()).toEqual([office]);
    expect(said.warnings).toEqual([
      `IpWhitelist: stays on the whitelist of account 1001, because of keep (in an environment: wayBackIn): ${office}`,
    ]);
  });
});

describe("failures", () => {
  test("an address that the platform rejects does not block the others", async () => {
    answers(emulator, "whitelist.add", 422, undefined, { nth: [1, 2, 3, 4, 5] });
    const { life } = start();
    const { existing, reason } = await failureOf(life.create({ addresses: many }));
    expect(reason).toMatch(/^could not add 5 of 60 addresses: 10\.0\.0\.\d+: .*; and 2 more\. What was done stays/);
    expect(existing.id).toBe("1001");
    expect(existing.state["addresses"]).toHaveLength(55);
    emulator.clearFaults();
    const { state } = await life.update(existing.id, existing.state, { addresses: many });
    expect(state).toEqual({ addresses: many, accountId: 1001, adopted: [] });
    expect(counts()["whitelist.add"]).toBe(65);
  });

  test("where the first requests were refused, and nothing was done, nothing is said to stay", async () => {
    answers(emulator, "whitelist.add", 403);
    await expect(start().life.create({ addresses: many })).rejects.toThrow(
      /\d+ not attempted\. Run the command again$/,
    );
  });

  test.each([
    [[], 3, "3 not attempted, because the run was cancelled. Run the command again"],
    [[], 2, "2 not attempted, because the run was cancelled. What was done stays; run the command again to finish"],
    [[office], 2, `${office}: no; 2 not attempted. Correct that, and run the command again`],
    [[office], 1, `${office}: no; 1 not attempted. What was done stays; run the command again to finish`],
  ])("of 3 addresses: %j refused, %i not attempted", (refused, untried, says) => {
    const failures = refused.map((one) => ({ one, error: new PlatformError("no", { code: "rejected" }) }));
    const error = changeFailure({ failures, untried }, { change: "add", total: 3, things: "addresses" });
    expect(error?.message).toBe(`could not add ${refused.length + untried} of 3 addresses: ${says}`);
  });

  test("a failure that would affect all stops the rest", async () => {
    answers(emulator, "whitelist.add", 403, undefined, { nth: [10] });
    const { existing, reason } = await failureOf(start().life.create({ addresses: many }));
    expect(reason).toMatch(/editing an account.* not attempted/);
    expect(counts()["whitelist.add"]).toBeLessThan(60);
    expect(existing.state["addresses"]).toHaveLength(entries().length);
  });

  test("what was added is kept even if the list cannot be read afterwards", async () => {
    answers(emulator, "whitelist.list", 400, undefined, { nth: 2 });
    const { existing, reason } = await failureOf(start().life.create({ addresses: [office, vpn] }));
    expect(reason).toContain("the platform accepted the addresses, but could not list the whitelisted IPs");
    expect(existing.state).toMatchObject({ addresses: [office, vpn], adopted: [] });
  });
});

describe("calls, import and parts", () => {
  test("many addresses need two lists, and one delete for each 200", async () => {
    const { life } = start();
    const addresses = Array.from({ length: 201 }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
    const { id, state } = await life.create({ addresses });
    expect(counts()).toEqual({ "account.view": 1, "whitelist.list": 2, "whitelist.add": 201 });
    await expect(life.read(id, state)).resolves.toMatchObject({ id, state });
    expect(counts()["account.view"]).toBe(1);
    await life.delete(id, state);
    expect(counts()["whitelist.delete"]).toBe(2);
  });

  test("records of another account are left alone, also where the list shows no others", async () => {
    const foreign = { id: 1, account_id: 1002, ip_cidr: vpn, created_at: "x", updated_at: "x" };
    answers(emulator, "whitelist.list", 200, { account_whitelisted_ips: [foreign] }, { nth: 1 });
    const { state } = await start().life.create({ addresses: [office], exclusive: true });
    expect(state).toMatchObject({ addresses: [office], accountId: 1001 });
    expect(counts()["whitelist.delete"]).toBeUndefined();
  });

  test("what is not listed any more is named by a destroy", async () => {
    const { id, state } = await start().life.create({ addresses: [office, vpn] });
    await request(emulator, "DELETE", `${path}/${entries()[0]!.id}`);
    const [left] = listed();
    const { life, said } = start({ hurried: true });
    await life.delete(id, state);
    const removed = left === office ? vpn : office;
    expect(said.infos).toEqual([`IpWhitelist: not on the whitelist any more, so not removed: ${removed}`]);
    expect(listed()).toEqual([]);
  });

  test("import takes over everything listed; an empty list cannot be imported", async () => {
    const { life } = start({ token: "otherAdmin" });
    const { state } = (await life.read("1002", {}))!;
    expect(state).toEqual({ addresses: ["192.0.2.10", "2001:db8::10"], accountId: 1002, adopted: [] });
    expect(life.diff(state, { addresses: ["2001:db8::10", "192.0.2.10"] }).changed).toEqual([]);
    await expect(life.read("main", {})).rejects.toThrow(
      /belongs to account main, but the configured token belongs to account 1002/,
    );
    await expect(start().life.read("1001", {})).resolves.toBeUndefined();
  });

  test("parallel work respects its limit", async () => {
    let [running, most] = [0, 0];
    await inParallel(many, 7, async () => {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 1));
      running--;
      return true;
    });
    expect(most).toBe(7);
  });
});
