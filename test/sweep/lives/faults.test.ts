import { describe, expect, test } from "vitest";
import { inParallel } from "../../harness/parallel";
import type { Program } from "../../harness/stack";
import { type ReceivedRequest, type SecondPlatform, startSecondPlatform } from "../../second-platform";
import { isLong, summarise } from "../chaos/long/settings";
import { type Failure, SmallEngine, type SmallEngineOptions } from "../chaos/small-engine";
import { changes, type Facts, factsOf } from "./facts";
import { type Fault, faults, type Target, targets } from "./fault-kinds";
import { expectedFacts, programOf } from "./program";
import { oneOfEach } from "./readings";

/**
 * Transport faults: every run either succeeds or clearly says what it knows, and the next fault-free run ends with
 * exactly one of everything that the program declares.
 */

const steps = ["create", "change", "destroy"] as const;
type Step = (typeof steps)[number];

/** What the API creates with every request and cannot remove. */
const once = ["account", "store", "spark", "refresh"];
/** What destroy removes or restores with a request. */
const removed = ["address", "addresses", "role", "roles", "notebook", "folderPolicy", "packages"];

const [first, second] = [programOf(oneOfEach, "first"), programOf(oneOfEach, "second")];
const programs: Readonly<Record<Step, Program>> = { create: first, change: second, destroy: {} };

async function live(step: Step, target: Target, fault: Fault): Promise<string[]> {
  const platform = await startSecondPlatform();
  const engine = (options: Partial<SmallEngineOptions> = {}) =>
    new SmallEngine({
      baseUrl: platform.url,
      token: platform.tokens.admin,
      retries: 1,
      timeoutSeconds: 30,
      ...options,
    });
  const calm = engine();
  const before = factsOf(platform.state());
  const problems: string[] = [];
  try {
    for (const earlier of steps.slice(0, steps.indexOf(step))) await calm.up(programs[earlier]);
    platform.clearRequests();
    for (const rule of targets[target]) platform.fault({ ...rule, kind: fault.kind });
    const hasty = engine({ from: calm.recorded(), ...(fault.kind.type === "hang" && { timeoutSeconds: 1 }) });
    const failures = await hasty.up(programs[step]);
    const sent = platform.requests();
    platform.clearFaults();
    if (target !== "every read") problems.push(...wrongOutcomeClaims(failures, fault));
    if (fault.isOpen) problems.push(...sentAgain(sent));
    if (step === "destroy") problems.push(...removedTooSoon(failures, target, fault));
    const announced = failures.filter(({ name }) => once.includes(name)).map(({ name }) => name);
    const next = engine({ from: hasty.recorded() });
    problems.push(...(await afterFaults(next, platform, before, step, announced)));
    await Promise.all([hasty.close(), next.close()]);
  } finally {
    await calm.close();
    await platform.close();
  }
  return problems.map((problem) => `${step}, ${target}, ${fault.title}: ${problem}`);
}

/** An error must say that the outcome is unknown if and only if it is. */
function wrongOutcomeClaims(failures: readonly Failure[], { isOpen, kind }: Fault): string[] {
  return failures.flatMap(({ name, message }) => {
    const saysOpen = /unknown|may have succeeded|may be on the list/.test(message);
    const isQuestion = name === "sensor";
    if (kind.type === "status" && kind.status === 429 && /submitted/.test(message)) return [`${name}: ${message}`];
    // Repeating a set or a read resolves the outcome, and destroy simply continues.
    return saysOpen === isOpen || isQuestion || (isOpen && !once.includes(name)) ? [] : [`${name} says ${message}`];
  });
}

/** What must not exist twice is sent once per run, whatever the outcome. */
function sentAgain(sent: readonly ReceivedRequest[]): string[] {
  const posts = sent.filter(({ method, path }) => method === "POST" && /account|db_taps|commands|whitelist/.test(path));
  const made = posts
    .filter(({ path }) => !path.includes("enable"))
    .map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
  return made.filter((one, index) => made.indexOf(one) !== index).map((one) => `sent twice: ${one}`);
}

/** While every write is lost or rejected, or a proxy returns 404, nothing counts as removed. */
function removedTooSoon(failures: readonly Failure[], target: Target, { kind }: Fault): string[] {
  const isDone = "when" in kind && kind.when === "after";
  if (target !== "every write" || isDone || kind.type === "half answer") return [];
  const failed = new Set(failures.map(({ name }) => name));
  return removed.filter((name) => !failed.has(name)).map((name) => `${name} counts as removed`);
}

/** The next, fault-free runs: one of everything, then nothing that the API can remove. */
async function afterFaults(
  engine: SmallEngine,
  platform: SecondPlatform,
  before: Facts,
  step: Step,
  announced: readonly string[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const next of [step, "destroy"] as const) {
    const failures = await engine.up(programs[next]);
    problems.push(...failures.map(({ name, message }) => `then ${next} ${name}: ${message}`));
    const at = steps.indexOf(next) as 0 | 1 | 2;
    const reached = at === 2 && step === "create" ? withoutSecond(before) : expectedFacts(before, oneOfEach, at);
    problems.push(...changes(reached, factsOf(platform.state())).filter((one) => !isAnnounced(one, announced)));
    if (next === "destroy") break;
  }
  const left = [...(await engine.ids()).keys()];
  return left.length > 0 ? [...problems, `the state still has ${left.join(", ")}`] : problems;
}

/** What stays of the first declarations only. */
function withoutSecond(before: Facts): Facts {
  const facts = new Map(expectedFacts(before, oneOfEach, 2));
  for (const fact of ["account second life", "101 data store second store"]) facts.delete(fact);
  facts.set("101 command spark life", "1").set("101 command refresh life", "1");
  facts.set("101 folder 33 name", "2025").set("101 user 17", "disabled");
  return facts;
}

const factOf: Readonly<Record<string, RegExp>> = {
  account: /^account (second )?life: 1 → 2$/,
  store: /^101 data store (second )?store: 1 → 2$/,
  spark: /^101 command spark life: (1 → 2|2 → 3)$/,
  refresh: /^101 command refresh life: (1 → 2|2 → 3)$/,
};

/** Exists twice because the program was run again although an error said that it may already exist. */
function isAnnounced(change: string, announced: readonly string[]): boolean {
  return announced.some((name) => factOf[name]!.test(change));
}

/** The short form leaves out what the two others, taken together, nearly cover; the fast tier takes a twelfth of one. */
const chosen = (Object.keys(targets) as Target[]).filter((_, index) => isLong || index < 2);

describe.each(chosen)("%s", (target) => {
  test.each(steps)("at %s: a clear outcome, and the next run ends with exactly one of each", async (step) => {
    const problems: string[] = [];
    await inParallel(faults, 10, async (fault) => void problems.push(...(await live(step, target, fault))));
    expect(problems).toEqual([]);
    summarise("lives-faults", { target, step, cases: faults.length * oneOfEach.length });
  });
});

describe("a wrong base path", () => {
  test.each(["error body", "HTML page", "200 HTML page", "empty 404"] as const)(
    "with %s: nothing counts as removed, gone or created",
    async (unknownPath) => {
      const platform = await startSecondPlatform({ unknownPath });
      const token = platform.tokens.admin;
      const right = new SmallEngine({ baseUrl: platform.url, token });
      expect(await right.up(first)).toEqual([]);
      const held = factsOf(platform.state());
      const from = right.recorded();
      const wrong = new SmallEngine({ baseUrl: `${platform.url}/elsewhere`, token, retries: 1, from });
      await wrong.refresh();
      expect([...(await wrong.ids())]).toEqual([...(await right.ids())]);
      const failed = (await wrong.up({})).map(({ name }) => name);
      expect(removed.filter((name) => !failed.includes(name))).toEqual([]);
      expect(changes(held, factsOf(platform.state()))).toEqual([]);
      await Promise.all([right.close(), wrong.close()]);
      await platform.close();
    },
  );
});
