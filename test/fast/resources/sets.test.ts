import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { AnyResource } from "../../../provider/core/define";
import type { Existing, PartialFailure } from "../../../provider/core/guard";
import { whitelistOf } from "../../../provider/platform/whitelist";
import { group } from "../../../provider/resources/group";
import { groupMembership } from "../../../provider/resources/group-membership";
import { groupRoles } from "../../../provider/resources/group-roles";
import { ipWhitelist } from "../../../provider/resources/ip-whitelist";
import { packageSet } from "../../../provider/resources/package-set";
import { membersIn } from "../../cases/group-membership";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, inOneRun, inProcess } from "../../harness/in-process";

/** What can go wrong with a set, for everything that manages one: each must come out in the same way. */

const emulator = freshEmulator({ extended: true });
const account = () => accountOf(emulator);

interface Set {
  readonly name: string;
  readonly definition: AnyResource;
  readonly extended?: boolean;
  readonly property: string;
  readonly inputs?: Record<string, unknown>;
  /** Four things, as the program spells them, and how `has` shows them. */
  readonly things: readonly (string | number)[];
  readonly shownAs?: readonly unknown[];
  readonly has: () => readonly unknown[];
  readonly add: string;
  readonly remove: string;
  /** Puts the fourth there, by somebody else. */
  readonly byOthers: () => Promise<unknown>;
  /** Whether that is told from what the resource added itself. */
  readonly tellsOthers?: boolean;
  /** Whether everything else goes anyway. */
  readonly isWhole?: true;
  /** Whether `exclusive` makes everything else go: what a preview says of that. */
  readonly announced?: readonly [info: string, warning: string];
}

const put = (path: string) => request(emulator, "PUT", `/api/v1.2/${path}`, {});
const crew = () => account().groups.find(({ name }) => name === "crew")?.id ?? 0;
const operators = () => 205;
const rolesOf = (group: () => number) => ({
  property: "roles",
  things: ["analyst", "302", "303", "304"],
  shownAs: [301, 302, 303, 304],
  has: () => account().groups.find(({ id }) => id === group())?.roles ?? [],
  add: "groups.assignRole",
  remove: "groups.unassignRole",
  byOthers: () => put(`groups/${group()}/roles/304/assign`),
});
const membersOf = (property: string, group: () => number) => ({
  property,
  things: ["104", "106", "102", "101"],
  shownAs: [104, 106, 102, 101],
  // One is a member from the beginning.
  has: () => membersIn(emulator.state(), group()).filter((id) => id !== 105),
  add: "groups.addUsers",
  remove: "groups.removeUsers",
  byOthers: () => put(`groups/${group()}/svc_users/101/add`),
});
const others = ". What this program declares elsewhere stays";
const ofRoles = ["will assign 1 role: analyst", `will unassign 1 role: security-officer${others}`] as const;
const wholeGroup = { definition: group, inputs: { name: "crew" }, isWhole: true } as const;
const byName = { source_type: "python_package", package_names: "numpy" };

const sets: readonly Set[] = [
  {
    name: "addresses of an account",
    definition: ipWhitelist,
    extended: false,
    property: "addresses",
    things: ["203.0.113.7", "2001:db8::/48", "198.51.100.0/24", "192.0.2.99"],
    has: () => account().whitelist.map(({ ip_cidr }) => ip_cidr),
    add: "whitelist.add",
    remove: "whitelist.delete",
    byOthers: () => request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: "192.0.2.99" }),
    tellsOthers: true,
    announced: ["will add 1 address: 203.0.113.7", `will remove 1 address: 192.0.2.99${others}`],
  },
  ...[true, false].map((extended) => ({
    name: `roles of a group, ${extended ? "with" : "without"} the extended API`,
    definition: groupRoles as AnyResource,
    extended,
    inputs: { groupId: 205 },
    ...rolesOf(operators),
    tellsOthers: extended,
    ...(extended && { announced: ofRoles }),
  })),
  { name: "members", definition: groupMembership, inputs: { group: 205 }, ...membersOf("users", operators) },
  { name: "all members", ...wholeGroup, ...membersOf("members", crew) },
  { name: "all roles", ...wholeGroup, ...rolesOf(crew) },
  {
    name: "packages of an environment",
    definition: packageSet,
    extended: false,
    property: "packages",
    inputs: { envId: 403, sourceType: "python_package" },
    things: ["requests", "polars", "xgboost", "numpy"],
    has: () => Object.keys(account().environments.find(({ id }) => id === 403)!.python_package),
    add: "package.add",
    remove: "package.remove",
    byOthers: () => request(emulator, "POST", "/api/v1.2/package/403/add_packages", byName),
  },
];

describe.each(sets)("$name: $definition.type", (set) => {
  const { definition, extended = true, property, things, shownAs = things, add, remove } = set;
  const start = (options = {}) => inProcess(definition, emulator, { extended, ...options }).life;
  const of = (...places: number[]) => ({ ...set.inputs, [property]: places.map((place) => things[place]) });
  const shown = (...places: number[]) => places.map((place) => shownAs[place]);
  const hasNow = () => set.has().toSorted();
  /** What the state is after an operation, if it failed in part; what it was before, if nothing was done. */
  const keptOf = (operation: Promise<Existing>, before: Existing) =>
    operation.catch((error: unknown) => (error as PartialFailure).existing ?? before);
  const create = async () => start().create(of(0, 1));

  test("a lost response changes nothing about the end", async () => {
    const lost = [add, remove].map((operation) => ({ operation, kind: "reset-after" as const, nth: [1] }));
    emulator.setFaults({ rules: lost });
    const created = await keptOf(start().create(of(0, 1)), { id: "", state: {} });
    const changed = await keptOf(start().update(created.id, created.state, of(1, 2)), created);
    const { id, state } = await start().update(changed.id, changed.state, of(1, 2));
    expect(hasNow()).toEqual(shown(1, 2).toSorted());
    expect(state).not.toHaveProperty("__open");
    await start().delete(id, state);
    expect(set.has()).toEqual([]);
  });

  test("if every response to adding is lost, the state keeps what may be there, and the next up finishes", async () => {
    emulator.setFaults({ rules: [{ operation: add, kind: "reset-after" }] });
    const first = await keptOf(start({ retries: 0 }).create(of(0, 1)), { id: "", state: {} });
    // However often that fails.
    emulator.setFaults({ rules: [{ operation: add, kind: "respond", status: 403 }] });
    const again = await keptOf(start().update(first.id, first.state, of(0, 1)), first);
    emulator.clearFaults();
    const { id, state } = await start().update(again.id, again.state, of(0, 1));
    expect(hasNow()).toEqual(shown(0, 1).toSorted());
    await start().delete(id, state);
    expect(set.has(), "none of them counts as there before").toEqual([]);
  });

  // No two resources are the same group.
  const testWithTwo = definition === group ? () => undefined : test;
  testWithTwo("what is being removed stays for a resource that is declared meanwhile", async () => {
    const { id, state } = await create();
    emulator.setFaults({ rules: [{ operation: remove, kind: "latency", latencyMs: 500 }] });
    const run = inOneRun(emulator, { extended });
    const [one, two] = [run(definition).life, run(definition).life];
    one.check(of(0), { who: "1", name: "one", old: of(0, 1) });
    const update = one.update(id, state, of(0));
    await setTimeout(400);
    two.check(of(1), { who: "2", name: "two" });
    await two.create(of(1));
    await update;
    expect(hasNow()).toEqual(shown(0, 1).toSorted());
  });

  test("a cancelled change stops, and the next up finishes", async () => {
    const { id, state } = await create();
    const stop = new AbortController();
    emulator.setFaults({ rules: [{ operation: add, kind: "latency", latencyMs: 40 }] });
    const before = emulator.requests(0).counts[add] ?? 0;
    const watch = setInterval(() => (emulator.requests(0).counts[add] ?? 0) > before && stop.abort(), 5);
    const half = await keptOf(start({ signal: stop.signal }).update(id, state, of(1, 2)), { id, state });
    clearInterval(watch);
    emulator.clearFaults();
    const { state: finished } = await start().update(id, half.state, of(1, 2));
    expect(hasNow()).toEqual(shown(1, 2).toSorted());
    await start().delete(id, finished);
    expect(set.has(), "what the cancelled run added is ours").toEqual([]);
  });

  test("what others put there is left alone, or goes, as declared", async () => {
    const { id, state } = await create();
    await set.byOthers();
    const inputs = { ...of(0), ...(set.announced && { exclusive: true }) };
    if (set.isWhole || set.announced) {
      emulator.setFaults({ rules: [{ operation: remove, kind: "respond", status: 422 }] });
      const half = await keptOf(start().update(id, state, inputs), { id, state });
      emulator.clearFaults();
      const { changed } = start().diff(half.state, inputs);
      expect(changed, "the next up must notice").toContain(property);
      await start().update(id, half.state, inputs);
      expect(hasNow()).toEqual(shown(0));
    } else {
      const { state: less } = await start().update(id, state, inputs);
      await start().delete(id, less);
      expect(hasNow()).toEqual(shown(3));
    }
  });

  const testIfExclusive = set.announced ? test : () => undefined;
  testIfExclusive("exclusively: what others put there is announced, goes last, and is drift later", async () => {
    await set.byOthers();
    const inputs = { ...of(0), exclusive: true };
    const { life, said } = inProcess(definition, emulator, { extended });
    await life.foresee(undefined, inputs);
    const [info, warning] = set.announced!.map((text) => `${definition.type}: ${text}`);
    expect([said.infos, said.warnings]).toEqual([[info], [warning]]);
    emulator.setFaults({ rules: [{ operation: add, kind: "respond", status: 422 }] });
    await expect(life.create(inputs)).rejects.toThrow("1 of 1");
    expect(hasNow()).toEqual(shown(3));
    emulator.clearFaults();
    const { id, state } = await life.create(inputs);
    expect(hasNow()).toEqual(shown(0));

    await set.byOthers();
    const drifted = (await start().read(id, state))!.state;
    expect(drifted[property]).toHaveLength(2);
    expect(start().diff(drifted, inputs).changed).toEqual([property]);
    await start().update(id, drifted, { ...inputs, exclusive: false });
    expect(hasNow(), "then it is somebody else's").toEqual(shown(0, 3).toSorted());
    await start().delete(id, drifted);
    expect(hasNow(), "destroyed right after a refresh that found it").toEqual(shown(3));
  });

  test("what others put there before stays after destroy, if that can be told, unless it is adopted", async () => {
    if (!set.isWhole) await set.byOthers();
    const { id, state } = await start().create(of(0, 3));
    await start().delete(id, state);
    expect(set.has()).toEqual(set.tellsOthers ? shown(3) : []);
    if (!set.tellsOthers) return;
    const adopting = { ...of(0, 3), adopt: true };
    const adopted = await start().create(adopting);
    await start().delete(adopted.id, adopted.state);
    expect(set.has()).toEqual([]);
  });
});

test("a removal of addresses that is cancelled sends nothing more", async () => {
  const { client } = await createdBy(inProcess(ipWhitelist, emulator), { addresses: ["203.0.113.7"] });
  const whitelist = whitelistOf(client);
  const stopped = client.withSignal(AbortSignal.abort());
  const { error } = await whitelist.removeMany(await whitelist.listing(), ["203.0.113.7"], stopped);
  expect(error).toMatchObject({ code: "cancelled" });
  expect(account().whitelist).toHaveLength(1);
});
