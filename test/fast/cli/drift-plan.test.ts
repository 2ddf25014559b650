import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WhitelistChange } from "../../../cli/drift/whitelist";
import { unknownValue } from "../../../provider/core/engine-values";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { accountOf, addressesOf, freshEmulator } from "../../harness/emulators";
import { ownFolder } from "../../harness/folders";
import { request } from "../../harness/http";
import { definitionOf, inOneRun, inProcess } from "../../harness/in-process";
import { driftOf, encrypted, resource, whitelist } from "./stacks";

/* What a plan is said to do to the login whitelist is what the provider then does: each case is told first, and carried out. */

const emulator = freshEmulator();

interface One {
  readonly type?: string;
  readonly [input: string]: unknown;
}
type Program = Readonly<Record<string, One>>;
const list = (addresses: readonly string[], more: object = {}): One => ({ addresses, ...more });
const ip = (ipCidr: string, more: object = {}): One => ({ type: "WhitelistedIp", ipCidr, ...more });
const of = ({ type = "IpWhitelist", ...inputs }: One) => ({ type, inputs, definition: definitionOf(type) });

/** The resources of a program, with what the platform has given them. */
async function made(program: Program) {
  const run = inOneRun(emulator);
  const found = new Map<string, { readonly id: string; readonly state: Record<string, unknown> }>();
  for (const [name, one] of Object.entries(program)) {
    const { definition, inputs } = of(one);
    run(definition).life.check(inputs, { who: name, name });
    found.set(name, await run(definition).life.create(inputs));
  }
  return found;
}
type Made = Awaited<ReturnType<typeof made>>;

const stateOf = (program: Program, made: Made) =>
  [...made].map(([name, { id, state }]) =>
    resource(of(program[name]!).type, name, id, of(program[name]!).inputs, { outputs: state }),
  );

/** `included`: of a repair, what it is about; then it is a change of just these. */
function planOf(before: Program, after: Program, included?: readonly string[]): object[] {
  const names = Object.keys({ ...before, ...after }).filter((name) => included?.includes(name) ?? true);
  return names.map((name) => {
    const shown = (one: One | undefined) => one && resource(of(one).type, name, "", of(one).inputs);
    const [oldState, newState] = [shown(before[name]), shown(after[name])];
    const isSame = !included && JSON.stringify(before[name]) === JSON.stringify(after[name]);
    const op = oldState && newState ? (isSame ? "same" : "update") : newState ? "create" : "delete";
    return { op, urn: (newState ?? oldState)!.urn, oldState, newState };
  });
}

async function toldBy(state: ReturnType<typeof stateOf>, steps: object[], token?: string) {
  const file = join(ownFolder(), "plan.json");
  writeFileSync(file, JSON.stringify({ steps }));
  return driftOf(emulator, state, token, {}, file);
}
const told = async (...about: Parameters<typeof toldBy>) => (await toldBy(...about)).whitelist;

/** Declares everything, then creates and changes, then deletes, as the engine does. */
async function carryOut(before: Program, made: Made, after: Program, included?: readonly string[]): Promise<void> {
  const run = inOneRun(emulator);
  const isMeant = (name: string) => included?.includes(name) ?? true;
  const names = Object.keys(after).filter(isMeant);
  for (const name of names) {
    const { definition, inputs } = of(after[name]!);
    run(definition).life.check(inputs, { who: name, name, ...(before[name] && { old: of(before[name]).inputs }) });
  }
  const ordered = names.map((name) => ({ name, ...of(after[name]!), old: made.get(name) }));
  for (const { definition, inputs, old } of ordered) if (old) run(definition).life.diff(old.state, inputs);
  for (const { name, definition, inputs, old } of ordered) {
    if (!old) await run(definition).life.create(inputs);
    // A repair refreshes first.
    else if (included)
      await run(definition).life.update(old.id, (await run(definition).life.read(old.id, old.state))!.state, inputs);
    else if (JSON.stringify(before[name]) !== JSON.stringify(after[name]))
      await run(definition).life.update(old.id, old.state, inputs);
  }
  for (const [name, { id, state }] of made)
    if (isMeant(name) && !after[name]) await run(of(before[name]!).definition).life.delete(id, state);
}

const [a, b, c, d, e] = ["198.51.100.1", "198.51.100.2", "198.51.100.3", "2001:db8::4", "198.51.100.5"] as const;
const [undeclared, exclusive, keep, others] = [
  "no longer declared",
  "exclusive: on the platform, not declared",
  "keep",
  "put there by others",
];

interface Case {
  /** On the list before everything. */
  readonly found?: readonly string[];
  readonly before?: Program;
  /** Added by hand, and removed by hand, since. */
  readonly hand?: readonly string[];
  readonly lost?: readonly string[];
  readonly after: Program;
  readonly repaired?: readonly string[];
  /** What is said. */
  readonly added?: readonly string[];
  readonly removed?: Readonly<Record<string, string>>;
  readonly stays?: Readonly<Record<string, string>>;
}

const cases: Readonly<Record<string, Case>> = {
  "an exclusive list is changed after somebody added an address by hand": {
    before: { logins: list([a], { exclusive: true }) },
    hand: [c],
    after: { logins: list([a, b], { exclusive: true }) },
    ...{ added: [b], removed: { [c]: exclusive } },
  },
  "the first plan of an exclusive list": {
    found: [c, d, e],
    after: { logins: list([a, c], { exclusive: true, keep: [d] }) },
    ...{ added: [a], removed: { [e]: exclusive }, stays: { [d]: keep } },
  },
  "a list is made exclusive, beside an address that the program declares by itself": {
    found: [c],
    before: { logins: list([a]), vpn: ip(b) },
    after: { logins: list([a], { exclusive: true }), vpn: ip(b) },
    removed: { [c]: exclusive },
  },
  "a list is deleted: what it added goes, and what it found or keeps stays": {
    found: [c],
    before: { logins: list([a, b, c], { keep: [b] }) },
    after: {},
    ...{ removed: { [a]: undeclared }, stays: { [b]: keep, [c]: others } },
  },
  "what it found goes with it, if it was adopted": {
    found: [c],
    before: { logins: list([a, c], { adopt: true }) },
    after: {},
    removed: { [a]: undeclared, [c]: undeclared },
  },
  "addresses leave a list that is not exclusive": {
    found: [c],
    before: { logins: list([a, b, c]) },
    hand: [e],
    after: { logins: list([a]) },
    ...{ removed: { [b]: undeclared }, stays: { [c]: others } },
  },
  "an address moves to another resource": {
    before: { logins: list([a, d]) },
    after: { logins: list([a]), vpn: ip("2001:0db8::4") },
    stays: { [d]: "WhitelistedIp vpn declares it" },
  },
  "a resource of its own moves into an exclusive list, which removes the rest": {
    before: { vpn: ip(d), office: ip(b) },
    hand: [e],
    after: { logins: list([d], { exclusive: true }) },
    ...{ removed: { [e]: exclusive, [b]: undeclared }, stays: { [d]: "IpWhitelist logins declares it" } },
  },
  "a deleted one that somebody has removed already": {
    before: { vpn: ip(d), office: ip(b) },
    lost: [d],
    after: {},
    removed: { [b]: undeclared },
  },
  "a repair removes what was added by hand, and puts back what is missing": {
    before: { logins: list([a, b], { exclusive: true }) },
    hand: [c],
    lost: [b],
    after: { logins: list([a, b], { exclusive: true }) },
    repaired: ["logins"],
    ...{ added: [b], removed: { [c]: exclusive } },
  },
  "a repair of an exclusive list knows nothing of what it leaves out": {
    before: { logins: list([a], { exclusive: true }), vpn: ip(d) },
    hand: [c],
    after: { logins: list([a], { exclusive: true }), vpn: ip(d) },
    repaired: ["logins"],
    removed: { [c]: exclusive, [d]: "WhitelistedIp vpn declares it, and is no part of this run" },
  },
};

const byAddress = (all: WhitelistChange["removed"] = []) =>
  Object.fromEntries(all.map((one) => [one.address, one.why]));
const behindOurBack = async (addresses: readonly string[] = []) => {
  for (const address of addresses) await whitelist(emulator, address);
};

test.each(Object.entries(cases))("%s", async (_, one) => {
  const { before = {}, after, repaired, added = [], removed = {}, stays = {} } = one;
  await behindOurBack(one.found);
  const had = await made(before);
  await behindOurBack(one.hand);
  for (const { id, ip_cidr } of [...accountOf(emulator).whitelist])
    if (one.lost?.includes(ip_cidr)) await request(emulator, "DELETE", `/_emulator/state/whitelist/${id}`);
  const shown = addressesOf(emulator);
  emulator.clearRequests();
  const change = await told(stateOf(before, had), planOf(before, after, repaired));
  expect(emulator.requests(0).counts).not.toHaveProperty("whitelist.delete");
  expect(change).toMatchObject({ added, unknown: [] });
  expect(change?.isFirst ?? false).toBe(added.length > 0 && shown.length === 0);
  expect({ removed: byAddress(change?.removed), stays: byAddress(change?.stays) }).toEqual({ removed, stays });

  await carryOut(before, had, after, repaired);
  const expected = [...shown, ...added].filter((address) => !(address in removed));
  expect([...addressesOf(emulator)].sort()).toEqual([...expected].sort());
});

test.each([
  ["a token that may not read the list", [a], "powerless", /\(403\)/],
  ["an address that the update decides", [unknownValue], "admin", /^IpWhitelist logins: .*known only after the update/],
  ["one that the plan masks", ["[secret]"], "admin", /^IpWhitelist logins: .*as a secret/],
])("%s: it says so, and nothing else", async (_, addresses, token, why) => {
  const steps = planOf({}, { logins: list(addresses, { exclusive: true }) });
  const change = await told([], steps, token);
  expect(change).toEqual({ added: [], removed: [], stays: [], unknown: [expect.stringMatching(why)] });
});

test("an address that somebody else has put there stops its creation; that of a state is not named if it is secret", async () => {
  const before = { vpn: ip(a) };
  const [one] = stateOf(before, await made(before));
  expect(await told([one!], planOf(before, before)), "where the plan does nothing with addresses").toBeUndefined();
  const taken = /^WhitelistedIp vpn: 198\.51\.100\.1 is already whitelisted/;
  expect((await told([], planOf({}, before)))?.unknown).toEqual([expect.stringMatching(taken)]);
  const state = { ...one!, inputs: { ipCidr: encrypted(a) }, outputs: { ...one!.outputs, ipCidr: encrypted(a) } };
  const change = await told([state], planOf(before, {}));
  expect(byAddress(change?.removed)).toEqual({ "[secret]": undeclared });
});

test.each([
  ["retainOnDelete", { retainOnDelete: true }],
  ["deletedWith", { deletedWith: "urn:gone" }],
])("%s leaves it there", async (why, more) => {
  const before = { vpn: ip(a) };
  const state = stateOf(before, await made(before));
  const [step] = planOf(before, {}) as { oldState: object }[];
  const steps = [
    { ...step, oldState: { ...step!.oldState, ...more } },
    { op: "delete", urn: "urn:gone" },
  ];
  const change = await told(state, steps);
  expect([byAddress(change?.removed), byAddress(change?.stays)]).toEqual([{}, { [a]: why }]);
});

/* What a plan creates over what is there, such as the policy that an object has: nothing of it is drift. */

const policy = [{ access: "allow", action: ["read"], condition: { svcGroups: [203] } }];

async function overwritten(inputs: object, token?: string) {
  const newState = resource("ObjectPolicy", "notebook", "", { sourceType: "note", sourceId: "501", policy, ...inputs });
  const { overwritten } = await toldBy([], [{ op: "create", urn: newState.urn, newState }], token);
  return overwritten?.[0];
}

test("the policy that an object has now", async () => {
  const { urn, ...before } = (await overwritten({}))!;
  expect([urn, before]).toEqual([
    expect.stringMatching(/ObjectPolicy::notebook$/),
    { found: { policy: expect.anything() } },
  ]);
  await inProcess(objectPolicy, emulator).life.create({ sourceType: "note", sourceId: "501", policy });
  expect(await overwritten({})).toEqual({ urn, found: { policy } });
});

test.each([
  ["an object that the update decides", { sourceId: unknownValue }, "admin", /only after the update/],
  ["one that the plan masks", { sourceId: "[secret]" }, "admin", /as a secret/],
  ["a token that may not read it", {}, "powerless", /\(403\)/],
])("%s: not known, and it says why", async (_, inputs, token, why) => {
  expect((await overwritten(inputs, token))?.unknown).toMatch(why);
});
