import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
 * Runs a tool's main function. Exits with 1 on an error; prints only the message of a ToolError, the stack of any other.
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
 * @returns {boolean} whether node was started with this module
 */
export function isMain(moduleUrl) {
  const started = process.argv[1];
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl);
}
