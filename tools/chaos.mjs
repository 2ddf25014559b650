#!/usr/bin/env node
/** The long form of the fault tests: random programs, kills, refreshes, shared places, fuzzed answers. Hours, not minutes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reliabilityPage } from "./chaos/page.mjs";
import { root } from "./lib/project.mjs";
import { run } from "./lib/run.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

const usage = `Usage: npm run chaos -- [options]

Runs the long form of the fault tests. Takes hours.

Options:
  --seed N          begin with this seed (default 1); a failing run prints its own
  --operations N    API operations of the random runs, on the engine and without it (default 10000 each)
  --only NAME       random-in-process, random-engine, kill-provider, kill-CLI, kill-in-process,
                    two-stacks, refresh, fuzz, or lives (on the second platform)
  --kill-stride N   kill at every n-th call only (default 1: at every call)
  --write           make docs/reliability.md of the results, those of earlier runs among them
  --help            show this text`;

/** What each name runs: a file, and the test in it. */
const parts = {
  "random-in-process": "without the engine",
  "random-engine": "random programs, on the engine",
  "kill-provider": "the provider is killed",
  "kill-CLI": "the CLI is killed",
  "two-stacks": "two stacks in the same places, on the engine",
  refresh: "refresh under every fault",
  "kill-in-process": "killed at every single call",
  fuzz: "answers",
  lives: "silence read otherwise|silences otherwise at once|an honest word",
};

const results = join(root, "test/chaos/results");

const options = /** @type {const} */ ({
  seed: { type: "string" },
  operations: { type: "string" },
  only: { type: "string" },
  "kill-stride": { type: "string" },
  write: { type: "boolean" },
});

/** @param {{ seed?: string, operations?: string, only?: string, "kill-stride"?: string, write?: boolean }} values */
async function chaos(values) {
  const pattern = values.only === undefined ? undefined : parts[/** @type {keyof typeof parts} */ (values.only)];
  if (values.only !== undefined && !pattern)
    throw new ToolError("UNKNOWN_PART", `--only ${values.only} is not one of the parts.\n\n${usage}`);
  await setUp({ engine: true });
  mkdirSync(results, { recursive: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(root, "test/chaos/long/vitest.config.mts");
  const result = await run(process.execPath, [vitest, "run", "--config", config, ...(pattern ? ["-t", pattern] : [])], {
    cwd: root,
    onLine: (line) => say(line),
    env: {
      ...process.env,
      CHAOS_RESULTS: results,
      CHAOS_SEED: values.seed ?? "1",
      CHAOS_OPERATIONS: values.operations ?? "10000",
      CHAOS_KILL_STRIDE: values["kill-stride"] ?? "1",
      CHAOS_FUZZ_RUNS: "200",
    },
  });
  if (values.write) writeFileSync(join(root, "docs/reliability.md"), reliabilityPage(readResults()));
  if (result.code !== 0) process.exitCode = 1;
}

/** @returns {Record<string, any>} */
export function readResults() {
  const files = existsSync(results) ? readdirSync(results).filter((name) => name.endsWith(".json")) : [];
  return Object.fromEntries(
    files.map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(join(results, name), "utf8"))]),
  );
}

if (isMain(import.meta.url)) await main({ usage, options }, chaos);
