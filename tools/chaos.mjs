#!/usr/bin/env node
/** The long fault tests: random programs, rehearsals, fuzzed answers, lives on other platforms. Takes hours. */
import { join } from "node:path";
import { root } from "./lib/project.mjs";
import { run } from "./lib/run.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

/** The tests that each name runs, as a pattern for their titles. */
const parts = {
  moves: "things move, without the engine",
  "moves-engine": "things move, on the engine",
  fuzz: "answers",
  rehearse: "a rehearsal ends as the real run does",
  lives: "non-default reading",
};

const usage = `Usage: npm run chaos -- [options]

Runs the long form of the fault tests, and ends with a line for each result. Takes hours.

Options:
  --seed N          start with this seed (default 1); a failing run prints its own
  --seeds N         how many seeds of the random programs without the engine, for each API (default 200)
  --only NAME       run one part: ${Object.keys(parts).join(", ")}
  --help            show this text`;

const options = /** @type {const} */ ({
  seed: { type: "string" },
  seeds: { type: "string" },
  only: { type: "string" },
});

/** @param {{ seed?: string, seeds?: string, only?: string }} values */
async function chaos(values) {
  const pattern = values.only === undefined ? undefined : parts[/** @type {keyof typeof parts} */ (values.only)];
  if (values.only !== undefined && !pattern)
    throw new ToolError("UNKNOWN_PART", `--only ${values.only} is not one of the parts.\n\n${usage}`);
  await setUp({ engine: true });
  const results = /** @type {string[]} */ ([]);
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(root, "test/sweep/chaos/long/vitest.config.mts");
  const result = await run(process.execPath, [vitest, "run", "--config", config, ...(pattern ? ["-t", pattern] : [])], {
    cwd: root,
    onLine: (line) => {
      say(line);
      if (line.startsWith("result ")) results.push(line.slice(7));
    },
    env: {
      ...process.env,
      // A colour would stand before the word by which results are found.
      NO_COLOR: "1",
      CHAOS_LONG: "1",
      CHAOS_SEED: values.seed ?? "1",
      CHAOS_SEEDS: values.seeds ?? "200",
      CHAOS_FUZZ_RUNS: "200",
    },
  });
  process.stdout.write(results.map((line) => `${line}\n`).join(""));
  if (result.code !== 0) process.exitCode = 1;
}

if (isMain(import.meta.url)) await main({ usage, options }, chaos);
