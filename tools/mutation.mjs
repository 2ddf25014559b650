#!/usr/bin/env node
/** How strong the tests without the engine are: changes the provider, one spot at a time, and counts what they notice. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import ts from "typescript";
import { createVitest } from "vitest/node";
import { root } from "./lib/project.mjs";
import { duration, main, say } from "./lib/say.mjs";

const folders = ["provider/api", "provider/core", "provider/values", "provider/platform"];
const tests = {
  include: [
    "test/fast/**/*.test.ts",
    "test/sweep/chaos/{fuzz,paths,lost-answers}.test.ts",
    "test/sweep/lives/accounts.test.ts",
  ],
  // They read source text, or compare with files.
  exclude: ["test/fast/architecture*.test.ts"],
  env: { TEST_TIER: "fast", NODE_EXTRA_CA_CERTS: "" },
};
/**
 * @typedef {Record<"start" | "end", { line: number, column: number }>} Location
 * @typedef {{ id: string, fileName: string, mutatorName: string, replacement: string, location: Location }} Mutant
 * @typedef {{ file: string, hits: Record<string, number>, weight: number }} Reach
 * @typedef {Record<string, { status: "killed" | "survived" | "uncovered", by?: string }>} Outcomes
 * @typedef {import("vitest/node").Vitest} Vitest
 */

/** Code that has every mutant, switched off, and their list. */
async function instrument() {
  const installed = "./mutation/node_modules/@stryker-mutator/instrumenter/dist/src/index.js";
  const { Instrumenter } = await import(installed);
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), "utf8") }));
  const logger = { debug() {}, info() {}, isDebugEnabled: () => false };
  /** @type {{ files: { name: string, content: string }[], mutants: Mutant[] }} */
  const made = await new Instrumenter(logger).instrument(files, { excludedMutations: [], ignorers: [] });
  const trees = new Map(files.map(({ name, content }) => [name, ts.createSourceFile(name, content, 99, true)]));
  const mutants = made.mutants.filter(({ fileName, location }) => isInFunction(location, trees.get(fileName)));
  return { code: new Map(made.files.map(({ name, content }) => [join(root, name), content])), mutants };
}

/**
 * What runs when a module is loaded is reached by all tests: to see it survive would take them all.
 * @type {(location: Location, tree?: ts.SourceFile) => boolean}
 */
function isInFunction({ start, end }, tree) {
  const from = tree?.getPositionOfLineAndCharacter(start.line, start.column) ?? 0;
  const to = tree?.getPositionOfLineAndCharacter(end.line, end.column) ?? 0;
  /** @type {(node: ts.Node) => boolean | undefined} */
  const holds = (node) => node.pos <= from && node.end >= to && (isAround(node) || ts.forEachChild(node, holds));
  const isAround = (/** @type {ts.Node} */ node) => ts.isFunctionLike(node) && node.getStart() < from;
  return tree !== undefined && holds(tree) === true;
}

const nameOf = (/** @type {Mutant} */ { fileName, location: { start }, mutatorName, replacement }) =>
  `${fileName}:${start.line + 1}:${start.column + 1} ${mutatorName} ${replacement.replace(/\s+/g, " ").slice(0, 80)}`;

/** A vitest that keeps the transformed sources; each run has a worker of its own. */
function open(/** @type {Map<string, string>} */ code) {
  const asGiven = async (/** @type {import("vitest/node").TestSpecification[]} */ files) => files;
  const sequencer = class {
    sort = asGiven;
    shard = asGiven;
  };
  const quiet = { root, config: /** @type {const} */ (false), watch: false, reporters: [{}], sequence: { sequencer } };
  const worker = { pool: "forks", isolate: false, maxWorkers: 1, setupFiles: ["tools/mutation/setup.ts"] };
  const limits = { testTimeout: 180_000, hookTimeout: 180_000 };
  const transform = (/** @type {string} */ _, /** @type {string} */ id) => code.get(id);
  const plugins = [{ name: "mutants", enforce: /** @type {const} */ ("pre"), transform }];
  return createVitest("test", { ...tests, ...quiet, ...worker, ...limits }, { plugins });
}

/** Which mutants each test file reaches. First those that are quick and reach little: likely, they are about it. */
async function reachOf(/** @type {Vitest} */ vitest) {
  vitest.provide(/** @type {never} */ ("mutation"), /** @type {never} */ ({}));
  const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications());
  const reach = testModules.map((file) => {
    if (!file.ok()) say(`left out, because it fails without a mutant: ${relative(root, file.moduleId)}`);
    const { hits = {} } = /** @type {Partial<Reach>} */ (file.ok() ? file.meta() : {});
    return { file: file.moduleId, hits, weight: Object.keys(hits).length * file.diagnostic().duration };
  });
  return reach.sort((a, b) => a.weight - b.weight);
}

/** @type {(vitest: Vitest, mutant: Mutant, reach: Reach[]) => Promise<Outcomes[string]>} */
async function outcomeOf(vitest, { id }, reach) {
  const reaching = reach.filter(({ hits }) => hits[id]);
  if (reaching.length === 0) return { status: "uncovered" };
  // A hundred times as often as without the mutant is an endless loop.
  const hitLimit = 100 * Math.max(...reaching.map(({ hits }) => hits[id] ?? 0));
  vitest.provide(/** @type {never} */ ("mutation"), /** @type {never} */ ({ id, hitLimit }));
  vitest.config.bail = 1;
  vitest.state.filesMap.clear();
  const specs = reaching.map(({ file }) => vitest.getRootProject().createSpecification(file));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
  const failed = testModules.find((file) => file.state() === "failed");
  const [first] = failed?.children.allTests("failed") ?? [];
  // With the reason: on a busy machine, it may be a time-out that has nothing to do with the mutant.
  const why = first ? `${first.fullName}: ${first.result().errors?.[0]?.message.slice(0, 200)}` : "";
  if (failed) return { status: "killed", by: `${relative(root, failed.moduleId)} ${why}` };
  return unhandledErrors.length > 0 ? { status: "killed", by: "the end of its worker" } : { status: "survived" };
}

function report(/** @type {Outcomes} */ outcomes, /** @type {Outcomes} */ before) {
  const all = Object.entries(outcomes).sort();
  const alive = all.filter(([, { status }]) => status !== "killed");
  for (const [name, { status }] of alive) say(`${status}: ${name}`);
  for (const [name] of alive) if (before[name]?.by) say(`weaker: ${before[name].by} killed ${name}`);
  for (const folder of [...folders, ""]) {
    const [of = 0, left = 0] = [all, alive].map((list) => list.filter(([name]) => name.startsWith(folder)).length);
    say(`${folder || "total"}: ${(100 - (100 * left) / of).toFixed(1)} % of ${of} mutants killed`);
  }
}

const usage = `Usage: npm run mutation -- [--out FILE] [--against FILE] [--seed TEXT] [--mutants N] [--help]

Changes the provider, one spot at a time, and counts what the tests without the engine notice. Writes what became of
each mutant to a file (--out), and lists what an earlier run (--against its file) killed and this one did not.
The same seed (1) and sources give the same mutants (200); fewer are part of more.`;
const text = /** @type {const} */ ({ type: "string", default: "" });
const options = { out: text, against: text, seed: text, mutants: text };

await main({ usage, options }, async ({ out, against, seed, mutants }) => {
  const started = Date.now();
  const before = against ? JSON.parse(readFileSync(against, "utf8")) : {};
  const made = await instrument();
  const ranks = new Map(made.mutants.map((mutant) => [hash("sha256", `${seed || 1} ${nameOf(mutant)}`), mutant]));
  const sample = [...ranks].sort().slice(0, Number(mutants || 200));
  const [one, two] = await Promise.all([open(made.code), open(made.code)]);
  const reach = await reachOf(one);
  /** @type {Outcomes} */
  const outcomes = {};
  const queue = sample.values();
  const work = async (/** @type {Vitest} */ vitest) => {
    for (const [, mutant] of queue) {
      const outcome = await outcomeOf(vitest, mutant, reach);
      outcomes[nameOf(mutant)] = outcome;
      say(`${duration(Date.now() - started)} ${outcome.status}: ${nameOf(mutant)}`);
      writeFileSync(out || join(tmpdir(), "mutation.json"), JSON.stringify(outcomes, null, 1));
    }
  };
  await Promise.all([work(one), work(two)]);
  report(outcomes, before);
  process.exit();
});
