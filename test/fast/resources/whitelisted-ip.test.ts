import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { Declarations } from "../../../provider/core/declarations";
import type { AnyResource } from "../../../provider/core/define";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { whitelistedIp } from "../../../provider/resources/whitelisted-ip";
import { accountOf, answers, freshEmulator, ownEmulator, refusal } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, hostAt, inProcess, partOf } from "../../harness/in-process";
import { ScriptedServer } from "../../harness/scripted-server";

const path = "/api/v2/accounts/whitelist_ip";
const args = { ipCidr: "203.0.113.7", description: "office" };
type Entry = { readonly id: number; readonly ip_cidr: string; readonly description?: string };
const entriesIn = (emulator: Emulator) => accountOf(emulator).whitelist as readonly Entry[];
const plain = freshEmulator();

describe("WhitelistedIp with the extended API", () => {
  const emulator = freshEmulator({ extended: true });
  const on = () => inProcess(whitelistedIp, emulator, { extended: true });

  test.each<[AnyResource, Record<string, unknown>]>([
    [whitelistedIp, args],
    [ipWhitelist, { addresses: ["198.51.100.1", "198.51.100.2"] }],
  ])("$type uses v2 alone for list, add and delete", async (definition, inputs) => {
    const { life, said, id, state } = await createdBy(inProcess(definition, emulator, { extended: true }), inputs);
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    await life.delete(id, state);
    const used = Object.keys(emulator.requests().counts).filter((operation) => operation.startsWith("whitelist."));
    expect(used.sort()).toEqual(["whitelist.addV2", "whitelist.deleteV2", "whitelist.listV2"]);
    expect(entriesIn(emulator)).toEqual([]);
    expect(said.warnings.filter((warning) => !warning.includes("is now empty"))).toEqual([]);
  });

  test.each(["v2", "both", "neither"] as const)(
    "a description that somebody else has set, shown by %s",
    async (shown) => {
      emulator.setReadings({ whitelistListDescription: shown });
      const drift = shown !== "neither";
      const { life, id, state } = await createdBy(on(), args);
      await expect(life.read(id, state)).resolves.toEqual({ id, state });
      await request(emulator, "DELETE", `${path}/${id}`);
      await request(emulator, "POST", path, { ip_cidr: "203.0.113.7", description: "somebody's" });
      const listedId = String(entriesIn(emulator)[0]!.id);
      const found = await on().life.read(listedId, state);
      expect(found?.state["description"]).toBe(drift ? "somebody's" : "office");
      const imported = await on().life.read(listedId, {});
      expect(imported?.state["description"]).toBe(drift ? "somebody's" : undefined);
      expect(life.diff(imported!.state, { ...args, ...(drift && { description: "somebody's" }) }).changed).toEqual([]);
    },
  );

  test("a cancel between the two halves of a new description puts the address back", async () => {
    const { state } = await on().life.create(args);
    const controller = new AbortController();
    emulator.setFaults({ rules: [{ operation: "whitelist.addV2", kind: "latency", latencyMs: 200 }] });
    const declarations = new Declarations();
    const { life } = inProcess(whitelistedIp, emulator, { extended: true, declarations, signal: controller.signal });
    const wanted = { ...args, description: "other" };
    life.check(wanted, { who: "it", name: "it", old: state });
    life.diff(state, wanted);
    const changed = life.create(wanted).catch((error: unknown) => error);
    while (entriesIn(emulator).length > 0) await new Promise((next) => setTimeout(next, 2));
    controller.abort();
    await changed;
    expect(entriesIn(emulator)).toMatchObject([{ ip_cidr: "203.0.113.7" }]);
  });

  /** What the engine does when a change replaces the resource. */
  async function replace(old: { id: string; state: Record<string, unknown> }, wanted: Record<string, unknown>) {
    const declarations = new Declarations();
    const { life, said } = inProcess(whitelistedIp, emulator, { extended: true, declarations });
    life.check(wanted, { who: "it", name: "it", old: old.state });
    const { replaces } = await life.plan(old.id, old.state, wanted);
    const created = await life.create(wanted);
    await life.delete(old.id, old.state);
    return { replaces, created, said };
  }

  test.each(["v2", "neither"] as const)("another description replaces the entry (shown by: %s)", async (shown) => {
    emulator.setReadings({ whitelistListDescription: shown });
    const old = await on().life.create(args);
    const { replaces, created, said } = await replace(old, { ...args, description: "head office" });
    expect(replaces).toEqual(["description"]);
    expect(entriesIn(emulator)).toMatchObject([{ ip_cidr: "203.0.113.7", description: "head office" }]);
    expect(created.id).toBe(String(entriesIn(emulator)[0]!.id));
    expect(created.id).not.toBe(old.id);
    expect(said.warnings).toEqual([expect.stringContaining("is removed from the whitelist and added again")]);
    await replace(created, { ipCidr: args.ipCidr });
    expect(entriesIn(emulator)[0]).not.toHaveProperty("description");
  });

  test("an adopted entry gets the description only where the list shows another one", async () => {
    await request(emulator, "POST", path, { ip_cidr: "203.0.113.7", description: "somebody's" });
    const exists = /203\.0\.113\.7 is already whitelisted .*run "pulumi up --refresh"/;
    await expect(on().life.create(args)).rejects.toThrow(exists);
    await on().life.create({ ...args, adopt: true });
    expect(entriesIn(emulator)).toMatchObject([{ description: "office" }]);
    emulator.setReadings({ whitelistListDescription: "neither" });
    await on().life.create({ ...args, description: "other", adopt: true });
    expect(entriesIn(emulator)).toMatchObject([{ description: "office" }]);
  });

  test("a description that is refused does not cost the address", async () => {
    const old = await on().life.create(args);
    answers(emulator, "whitelist.addV2", 422, refusal("no such description"), { nth: 1 });
    await expect(replace(old, { ...args, description: "bad" })).rejects.toThrow(
      "203.0.113.7 is on the list again, but without its description",
    );
    expect(entriesIn(emulator)).toMatchObject([{ ip_cidr: "203.0.113.7" }]);
  });

  test("an address whose outcome stays open is kept, and finished with its description by the next up", async () => {
    emulator.setFaults({ rules: [{ operation: "whitelist.addV2", kind: "reset-before", times: 1 }] });
    const { life } = on();
    const { id, state } = await partOf(life.create(args));
    expect(id).toBe("203.0.113.7");
    await life.update(id, state, args);
    expect(entriesIn(emulator)).toMatchObject([{ description: "office" }]);
  }, 20_000);
});

describe.each([
  ["none of v2", false],
  ["only the list of v2", ["whitelist.listV2"]],
  ["only the add of v2", ["whitelist.addV2"]],
  ["only the delete of v2", ["whitelist.deleteV2"]],
])("an installation with %s", (_what, extended) => {
  test.each([{}, { whitelistDeleteUnknown: "200" as const }, { refusalStatus: "200" as const }])(
    "falls back to v1.2 without a warning (%j)",
    async (readings) => {
      const emulator = await ownEmulator({ extended, readings });
      const { life, said } = inProcess(whitelistedIp, emulator, { extended: true });
      const first = await life.create({ ipCidr: "203.0.113.7" });
      const second = await life.create({ ipCidr: "203.0.113.8" });
      await expect(life.read(first.id, first.state)).resolves.toEqual(first);
      await life.delete(first.id, first.state);
      await life.delete(first.id, first.state);
      expect(entriesIn(emulator)).toMatchObject([{ ip_cidr: "203.0.113.8" }]);
      await life.delete(second.id, second.state);
      expect(entriesIn(emulator)).toEqual([]);
      expect(said.warnings).toEqual([]);
    },
  );
});

describe("a preview that would add the first address", () => {
  const previewsOf = (options = {}) => {
    const { host, said } = hostAt(plain, options);
    return { said, address: new Lifecycle(whitelistedIp, host), list: new Lifecycle(ipWhitelist, host) };
  };
  const warning = (type: string, addresses: string) =>
    expect.stringContaining(`${type}: the whitelist is empty, and ${addresses} would be the first on it`);

  test.each([false, true])(
    "warns once, and lists once, however many there are (extended API: %s)",
    async (extended) => {
      const { said, address, list } = previewsOf({ extended });
      const addresses = ["203.0.113.4", "203.0.113.5"];
      await list.foresee(undefined, { addresses, keep: addresses.slice(1) });
      expect(said.warnings, "keep is a way back in").toEqual([]);
      await list.foresee(undefined, { addresses });
      for (const last of [1, 2, 3]) await address.foresee(undefined, { ipCidr: `203.0.113.${last}` });
      expect(said.warnings).toEqual([warning("IpWhitelist", "203.0.113.4, 203.0.113.5")]);
      expect(said.warnings.join()).toContain("Declare the address that you log in from too");
      expect(plain.requests().counts["whitelist.list"]).toBe(1);
    },
  );

  test("says nothing if an address is listed, or the list cannot be read", async () => {
    const powerless = previewsOf({ token: "powerless" });
    await powerless.address.foresee(undefined, { ipCidr: "203.0.113.7" });
    await request(plain, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "192.0.2.99" });
    const listed = previewsOf();
    await listed.address.foresee(undefined, { ipCidr: "203.0.113.7" });
    await listed.list.foresee(undefined, { addresses: ["203.0.113.4"] });
    expect([...powerless.said.warnings, ...listed.said.warnings]).toEqual([]);
  });

  test("warns of an address that is there already, which adopt takes over", async () => {
    await request(plain, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "192.0.2.99" });
    const { said, address, list } = previewsOf();
    await address.foresee(undefined, { ipCidr: "192.0.2.99", adopt: true });
    await list.foresee(undefined, { addresses: ["192.0.2.99"], adopt: true });
    expect(said.warnings).toEqual([]);
    await address.foresee(undefined, { ipCidr: "192.0.2.99" });
    await list.foresee(undefined, { addresses: ["192.0.2.99"] });
    expect(said.warnings).toEqual([
      expect.stringMatching(/"pulumi up" will fail: 192\.0\.2\.99 is already whitelisted .* alias with its old name/),
      expect.stringMatching(
        /found 1 address already on the whitelist, .*renamed without an alias.*: 192\.0\.2\.99\. .*None of this applies to a replacement/,
      ),
    ]);
  });

  test("says nothing about a change that adds no address", async () => {
    const { said, address } = previewsOf();
    const state = { ipCidr: "203.0.113.7", accountId: 1001 };
    await address.plan("12", state, { ipCidr: "203.0.113.7", adopt: true });
    expect(said.warnings).toEqual([]);
    await address.plan("12", state, { ipCidr: "203.0.113.8" });
    expect(said.warnings).toEqual([warning("WhitelistedIp", "203.0.113.8")]);
  });
});

const life = () => inProcess(whitelistedIp, plain).life;
const entries = () => entriesIn(plain);
const address = "203.0.113.7";

test("an address that is already listed is an error that says how to import it; adopt takes it over", async () => {
  await request(plain, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "2001:DB8::7" });
  const { id } = entries()[0]!;
  const says = `2001:db8::7 is already whitelisted \\(id ${id}\\).*import --generate-code=false dataplatform:index:WhitelistedIp <name> ${id}`;
  await expect(life().create({ ipCidr: "2001:db8::7" })).rejects.toThrow(new RegExp(says));
  expect(await life().create({ ipCidr: "2001:db8::7", adopt: true })).toMatchObject({ id: String(id) });
  expect(entries()).toHaveLength(1);
});

test("an address listed in two spellings: both entries exist, so a refresh keeps either", async () => {
  const { id, state } = await life().create({ ipCidr: address });
  const platform = await ScriptedServer.forTest();
  const listed = { ...entries()[0]!, account_id: 1001 };
  const twin = { ...listed, id: listed.id + 1, ip_cidr: `${address}/32` };
  platform.script({ body: { account_whitelisted_ips: [listed, twin] } });
  const there = inProcess(whitelistedIp, { url: platform.url, tokens: plain.tokens }).life;
  expect(await there.read(id, state)).toMatchObject({ id });
});

test("an id that has been given to another record is not ours: the address finds the own one, or it is gone", async () => {
  const [mine, other] = [await life().create({ ipCidr: address }), await life().create({ ipCidr: "192.0.2.1" })];
  expect(await life().read(other.id, mine.state)).toMatchObject({ id: mine.id, state: { ipCidr: address } });
  await life().delete(mine.id, mine.state);
  expect(await life().read(other.id, mine.state)).toBeUndefined();
});

test("an answer lost after the work: the entry is found, and is ours", async () => {
  plain.setFaults({ rules: [{ operation: "whitelist.add", nth: 1, kind: "reset-after" }] });
  const { id } = await life().create({ ipCidr: address });
  expect(entries()).toMatchObject([{ id: Number(id), ip_cidr: address }]);
});

test("a 503 before the work: nothing is sent twice, the next up adds it, and it can be deleted", async () => {
  plain.clearRequests();
  plain.setFaults({ rules: [{ operation: "whitelist.add", nth: 1, kind: "503" }] });
  const { message, existing } = await failureOf(life().create({ ipCidr: address }));
  expect(message).toContain('It may be on the list: run "pulumi up" again to find or add it');
  expect([entries().length, plain.requests().counts["whitelist.add"]]).toEqual([0, 1]);
  await life().update(existing.id, existing.state, { ipCidr: address });
  const { id } = entries()[0]!;
  await life().delete(String(id), existing.state);
  expect(entries()).toEqual([]);
});

test("a hundred addresses need few calls: one list for the refresh, batched deletes for the destroy", async () => {
  const { life } = inProcess(whitelistedIp, plain);
  const each = Array.from({ length: 100 }, (_, index) => ({ ipCidr: `198.51.100.${index}` }));
  const made = await Promise.all(each.map((one) => life.create(one)));
  expect([entries().length, plain.requests(0).counts["whitelist.add"]]).toEqual([100, 100]);

  plain.clearRequests();
  const refreshing = inProcess(whitelistedIp, plain).life;
  expect(await Promise.all(made.map(({ id, state }) => refreshing.read(id, state)))).toEqual(made);
  expect(plain.requests(0).counts).toEqual({ "account.view": 1, "whitelist.list": 1 });

  plain.clearRequests();
  const destroying = inProcess(whitelistedIp, plain).life;
  await Promise.all(made.map(({ id, state }) => destroying.delete(id, state)));
  expect(entries()).toEqual([]);
  expect(plain.requests(0).counts["whitelist.delete"]).toBeLessThanOrEqual(8);
});
