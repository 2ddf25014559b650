import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** @param {string} text progress goes to stderr, because stdout is for a command's result */
export const say = (text) => void process.stderr.write(`${text}\n`);

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * An error whose message is all the user needs, printed without a stack.
 */
export class ToolError extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @typedef {NonNullable<import("node:util").ParseArgsConfig["options"]>} Options */

/**
 * @template {Options} O
 * @typedef {{ readonly usage: string, readonly options: O, readonly allowPositionals?: boolean }} Tool
 */

/**
 * Runs a tool with the options of the command line. `--help` prints the usage and does nothing else. A ToolError is its
 * message and exit code 1; anything else keeps its stack.
 * @template {Options} O
 * @param {Tool<O>} tool
 * @param {(values: ReturnType<typeof parseArgs<{ options: O }>>["values"], positionals: string[]) => Promise<void>} work
 */
export async function main(tool, work) {
  try {
    const read = readOptions(tool);
    if (read) await work(read.values, read.positionals);
    else process.stdout.write(`${tool.usage}\n`);
  } catch (error) {
    say(
      error instanceof ToolError
        ? `\nerror ${error.code}: ${error.message}`
        : String(/** @type {Error} */ (error)?.stack),
    );
    process.exit(1);
  }
}

/**
 * @template {Options} O
 * @param {Tool<O>} tool
 */
function readOptions({ usage, options, allowPositionals = false }) {
  // Before the options are checked: a line with --help need not be complete.
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) return undefined;
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    throw new ToolError("UNKNOWN_OPTION", `${/** @type {Error} */ (error).message}\n\n${usage}`);
  }
}

/**
 * @template {string} T
 * @param {string} list such as "a,b"
 * @param {readonly T[]} known
 * @param {(name: string) => ToolError} refuse
 * @returns {T[]}
 */
export function readList(list, known, refuse) {
  return list.split(",").map((name) => {
    const found = known.find((one) => one === name);
    if (found) return found;
    throw refuse(name);
  });
}

/** @param {string} moduleUrl @returns {boolean} whether node was started with this module */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
