#!/usr/bin/env node
/** Measures what the provider costs, by turns with something that does the same work without it. */
import { readFileSync, writeFileSync } from "node:fs";
import { measurements } from "./bench/measurements.mjs";
import { change, goalVerdict, interval } from "./bench/statistics.mjs";
import { nodeParts } from "./engine/layout.mjs";
import { ensureEngine } from "./engine.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

/** @typedef {import("./bench/statistics.mjs").Row} Row */

/** With what comes before and after, under five minutes. */
const quickMs = 255_000;
const fewestPairs = 3;

const usage = `Usage: npm run bench -- [NAME…] [options]

Measures what the provider costs, on the emulator: by turns with a provider that does nothing, in CPU time of all
processes and by the clock. Prints each number with its 95 % interval. A goal is held or missed only if the interval
says so; otherwise it is open. Linux only.

Names (default: all; each takes some minutes, together hours):
${Object.entries(measurements)
  .map(([name, { about, quick }]) => `  ${name.padEnd(20)} ${about}${quick ? " (quick)" : ""}`)
  .join("\n")}

Options:
  --quick          only those marked as quick, as often as four minutes allow
  --pairs N        how often to measure each (default: 5)
  --save FILE      write the numbers to this file
  --against FILE   say what became better or worse since that file was written; exit code 2 if anything became worse
  --help           show this text`;

const options = /** @type {const} */ ({
  quick: { type: "boolean", default: false },
  pairs: { type: "string", default: "5" },
  save: { type: "string" },
  against: { type: "string" },
});

/** @param {{ quick: boolean, pairs: string, save?: string, against?: string }} values @param {string[]} names */
async function bench({ quick, pairs, save, against }, names) {
  const started = performance.now();
  if (process.platform !== "linux") throw new ToolError("LINUX_ONLY", "CPU times are read from /proc; use Linux.");
  const known = Object.entries(measurements).filter(([, measurement]) => !quick || measurement.quick);
  const unknown = names.find((name) => !known.some(([one]) => one === name));
  if (unknown) throw new ToolError("UNKNOWN_NAME", `"${unknown}" is none of: ${known.map(([one]) => one).join(", ")}.`);
  const chosen = known.filter(([name]) => names.length === 0 || names.includes(name));
  /** @type {Row[]} */
  const earlier = against ? JSON.parse(readFileSync(against, "utf8")) : [];
  await setUp({ log: say });
  const engine = await ensureEngine({ parts: nodeParts, log: say });
  const rows = /** @type {Row[]} */ ([]);
  if (quick) {
    // Together, turn by turn, so that time is shared fairly. A turn that would end too late is not begun.
    const enough = (/** @type {number} */ turns, /** @type {number} */ turnMs) =>
      turns >= fewestPairs && performance.now() - started + turnMs > quickMs;
    rows.push(...(await measure(chosen, engine, enough)));
  } else {
    for (const one of chosen) rows.push(...(await measure([one], engine, (turns) => turns >= Number(pairs))));
  }
  if (save) writeFileSync(save, `${JSON.stringify(rows, undefined, 1)}\n`);
  const before = new Map(earlier.map((row) => [row.name, row]));
  const table = rows.map((row) => lineOf(row, before.get(row.name)));
  process.stdout.write(`${layout(table)}\n`);
  if (table.some(({ decides, verdict }) => decides && verdict === "worse")) process.exitCode = 2;
}

/**
 * @param {[string, import("./bench/measurements.mjs").Measurement][]} chosen
 * @param {string} engine
 * @param {(turns: number, turnMs: number) => boolean} enough
 * @returns {Promise<Row[]>}
 */
async function measure(chosen, engine, enough) {
  const running = /** @type {import("./bench/measurements.mjs").Running[]} */ ([]);
  try {
    for (const [, measurement] of chosen) running.push(await measurement.open(engine));
    for (let turn = 0, turnMs = 0; !enough(turn, turnMs); turn++) {
      const started = performance.now();
      for (const one of running) await one.take(turn);
      turnMs = performance.now() - started;
      say(`${chosen.map(([name]) => name).join(", ")}: turn ${turn + 1} took ${(turnMs / 1000).toFixed(0)} s`);
    }
    return running.flatMap((one) => one.rows());
  } finally {
    for (const one of running) one.close();
  }
}

/**
 * The clock is told, but does not decide: what else runs on the machine moves it.
 * @param {Row} row
 * @param {Row | undefined} before
 */
function lineOf(row, before) {
  const found = interval(row);
  const verdict = before ? change(found, interval(before)) : "";
  const cells = [
    row.name,
    `${text(found.mean)} ${row.unit}`,
    row.exact ? "" : `${text(found.low)} – ${text(found.high)}`,
    row.goal === undefined ? "" : `≤ ${row.goal}: ${goalVerdict(found, row.goal)}`,
    before ? `${text(interval(before).mean)} before: ${verdict}` : "",
  ];
  return { cells, verdict, decides: !row.name.endsWith("clock") };
}

/** @param {number} value */
function text(value) {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}

/** @param {{ cells: string[] }[]} table */
function layout(table) {
  const all = [["", "mean", "95 % interval", "goal", ""], ...table.map(({ cells }) => cells)];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  return all
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

if (isMain(import.meta.url)) await main({ usage, options, allowPositionals: true }, bench);
