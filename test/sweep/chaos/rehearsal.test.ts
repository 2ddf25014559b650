import { expect, test } from "vitest";
import { AccountCopier } from "../../../cli/rehearse/copy";
import type { Thing } from "../../../cli/rehearse/thing";
import { StatusLine } from "../../../cli/terminal/status-line";
import { type Emulator, startEmulator } from "../../../emulator";
import { hostAt } from "../../harness/in-process";
import type { Program } from "../../harness/stack";
import { isLong, summarise } from "./long/settings";
import { nothing, Programs, programOf } from "./programs";
import { Random } from "./random";
import { type Recorded, SmallEngine } from "./small-engine";
import { account, count, type Facts, ids, observe, roleCount, roleName, token, world } from "./world";

const programs = isLong ? 200 : 20;

test(`${programs} random programs: a rehearsal ends as the real run does`, async () => {
  let [changing, failing] = [0, 0];
  for (let seed = 1; seed <= programs; seed++) {
    const { methods, rehearsed, real } = await rehearsal(seed, { extended: seed % 2 === 0 });
    expect(new Set(methods), "of the requests that production received before the real run").toEqual(new Set(["GET"]));
    expect(differencesBetween(real, rehearsed), `seed ${seed}`).toEqual([]);
    if (changedFacts(real).length > 0) changing++;
    if (real.failures.length > 0) failing++;
  }
  // The comparison would mean nothing if the runs did nothing, or if none failed.
  expect(changing).toBeGreaterThan(programs * 0.9);
  expect(failing).toBeGreaterThan(programs * 0.1);
  summarise("rehearse", { programs, failing });
});

const slots = 5;

/** What else a run comes to that ends with the first failure is a matter of time, in which no two platforms are alike. */
const continueOnError = true;

/**
 * A random life in production, then a rehearsal of the next program, then that program for real. Some of the things that
 * the programs are about were changed by others in the meantime, and some programs name what does not exist.
 */
async function rehearsal(seed: number, { extended }: { readonly extended: boolean }) {
  const random = new Random(seed);
  const production = await startEmulator({ seed: world(slots), extended });
  const engine = new SmallEngine({ baseUrl: production.url, token, extended, continueOnError });
  try {
    const programs = new Programs(random, extended);
    let drafts = nothing;
    const step = (): Program => {
      drafts = programs.next(drafts, observe(production));
      return programOf(drafts);
    };
    for (let earlier = random.below(3); earlier > 0; earlier--) await engine.up(step());
    if (random.chance(0.4)) interfere(production, random);
    const program = withMistake(step(), random);
    production.clearRequests();
    const rehearsed = await rehearse(production, engine.recorded(), program, extended);
    const methods = production.requests(5000).requests.map(({ method }) => method);
    return { methods, rehearsed, real: await run(engine, production, program) };
  } finally {
    await engine.close();
    await production.close();
  }
}

interface Ran {
  readonly before: Facts;
  readonly after: Facts;
  readonly failures: readonly string[];
  readonly ends: ReadonlyMap<string, string>;
}

async function run(engine: SmallEngine, on: Emulator, program: Program): Promise<Ran> {
  const before = factsOf(on);
  const failures = (await engine.up(program)).map(({ name }) => name).sort();
  return { before, after: factsOf(on), failures, ends: endsOf(engine) };
}

async function rehearse(from: Emulator, recorded: Recorded, program: Program, extended: boolean): Promise<Ran> {
  const copy = await copyOf(from, recorded, program, extended);
  const emulator = await startEmulator({ seed: copy.seed, extended });
  const engine = new SmallEngine({
    baseUrl: emulator.url,
    token: copy.token,
    extended,
    continueOnError,
    from: recorded,
  });
  try {
    return await run(engine, emulator, program);
  } finally {
    await engine.close();
    await emulator.close();
  }
}

async function copyOf({ url }: Emulator, recorded: Recorded, program: Program, extended: boolean) {
  const { client } = hostAt({ url, tokens: {} }, { token, extended });
  const held = [...recorded.state.values(), ...recorded.leftOver.map((one) => one.held)];
  const planned = Object.values(program).map(({ type, args }): Thing => ({ type, id: "", state: args }));
  try {
    const progress = new StatusLine({ write() {} });
    return await new AccountCopier(client, progress, { replaceSecret: (secret) => secret }).copy(held, planned);
  } finally {
    await client.close();
  }
}

/** Others change what the stack manages, or take an address that the program wants. */
function interfere(emulator: Emulator, random: Random): void {
  const seed = emulator.state({ secrets: true });
  const home = seed.accounts.find(({ id }) => id === account)!;
  if (home.whitelist.length > 0) home.whitelist.splice(random.below(home.whitelist.length), 1);
  home.objects[0]!.policy = [{ access: "deny", action: ["read"], condition: { svc_users: [102] } }];
  home.users.find(({ id }) => id === ids.user(0))!.status = "disabled";
  emulator.reset(seed);
}

/** A resource that the platform refuses. */
function withMistake(program: Program, random: Random): Program {
  if (!random.chance(0.3)) return program;
  const args = { sourceType: "note", sourceId: "999999", policy: [], onDestroy: "keep" };
  return { ...program, mistake: { type: "ObjectPolicy", args } };
}

const nameOfRole = (id: number, name: string): string =>
  Array.from({ length: roleCount }, (_, slot) => slot)
    .filter((slot) => id === ids.role(slot))
    .map(roleName)[0] ?? name;

const isById = /^(assigned|member|group|place|folder|data store) /;

/** Grants of one run come in any order, which means nothing. */
const inOrder = (policy: readonly unknown[]) => JSON.stringify(policy.map((one) => JSON.stringify(one)).sort());

/** As `observe`, but without ids that a rehearsal cannot know: those of roles and of folders that are named otherwise. */
function factsOf(emulator: Emulator): Facts {
  const facts: Facts = new Map([...observe(emulator)].filter(([fact]) => !isById.test(fact)));
  const home = emulator.state({ secrets: true }).accounts.find(({ id }) => id === account)!;
  for (const { id, name, roles } of home.groups) {
    const names = roles
      .map((role) => home.roles.find((one) => one.id === role)!)
      .map((one) => nameOfRole(one.id, one.name));
    const members = home.users.filter(({ groups }) => groups.includes(id)).map((user) => user.id);
    facts.set(`group ${id < ids.group(slots) ? id : name}`, [...new Set(names.sort()), ...members].join(" "));
  }
  for (const { location, type, policy } of home.folders) facts.set(`folder ${type} ${location}`, inOrder(policy));
  for (const { id, policy } of home.objects) facts.set(`note ${id}`, inOrder(policy));
  for (const { name } of home.dataStores) count(facts, `data store ${name}`);
  return facts;
}

/** What differs between any two runs: ids, clocks and tokens of the platform, and the tag of a submission. */
const given =
  /^(id|submissionTag|submitTime|createdAt|updatedAt|startTime|endTime|authenticationToken|path|logsResource|resultsResource)$/;
/** Types whose id the platform gives. */
const numbered = /^(WhitelistedIp|Account|DataStore|Command|Role|Group)$/;

function endsOf(engine: SmallEngine): Map<string, string> {
  return new Map(
    [...engine.recorded().state].map(([name, { type, id, state }]) => {
      const kept = Object.entries(state).filter(([key]) => !given.test(key));
      return [name, JSON.stringify([type, numbered.test(type) ? "" : id, Object.fromEntries(kept.sort())])];
    }),
  );
}

function changedFacts({ before, after }: Ran): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((fact) => before.get(fact) !== after.get(fact));
}

function differencesBetween(real: Ran, rehearsed: Ran): string[] {
  const touched = new Set([...changedFacts(real), ...changedFacts(rehearsed)]);
  const facts = [...touched].filter((fact) => real.after.get(fact) !== rehearsed.after.get(fact));
  const names = new Set([...real.ends.keys(), ...rehearsed.ends.keys()]);
  const ends = [...names].filter((name) => real.ends.get(name) !== rehearsed.ends.get(name));
  const [failed, foreseen] = [real, rehearsed].map(({ failures }) => failures.join(", "));
  return [
    ...(failed === foreseen ? [] : [`failed: ${failed}; rehearsed: ${foreseen}`]),
    ...facts.map((fact) => `${fact}: ${real.after.get(fact)}; rehearsed: ${rehearsed.after.get(fact)}`),
    ...ends.map((name) => `${name}: ${real.ends.get(name)}; rehearsed: ${rehearsed.ends.get(name)}`),
  ];
}
