import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @param {string} text progress goes to stderr: stdout belongs to the answer of a command */
export const say = (text) => void process.stderr.write(`${text}\n`);

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * An error whose message is all that the user needs: shown without a stack.
 */
export class ToolError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a tool's main function; a ToolError is its message and exit code 1, anything else keeps its stack.
 * @param {() => Promise<void>} work
 */
export async function main(work) {
  try {
    await work();
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
 * @param {string} moduleUrl
 * @returns {boolean} whether the module is what node was started with
 */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
