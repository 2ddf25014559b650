import { createContext, Script } from "node:vm";
import { invalid } from "./errors";

/** Enough for thousands of table names, and short, because matching blocks every other request. */
const limitMs = 1000;

const script = new Script("((expression) => texts.map((text) => expression.test(text)))(new RegExp(source))");
let sandbox: { source: string; texts: readonly string[] } | undefined;

/**
 * Which of the texts a client's regular expression matches. Some expressions, such as `(a+)+$`, practically never
 * finish, and V8 can only interrupt them in a separate script with a timeout.
 */
export function matching(parameter: string, source: string, texts: readonly string[]): boolean[] {
  try {
    new RegExp(source);
  } catch {
    throw invalid(`${parameter}: is not a valid regular expression`);
  }
  sandbox ??= createContext({ source: "", texts: [] as readonly string[] }) as typeof sandbox & object;
  Object.assign(sandbox, { source, texts });
  const begun = process.cpuUsage();
  for (;;)
    try {
      return script.runInContext(sandbox, { timeout: limitMs }) as boolean[];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw invalid(`${parameter}: ${(error as Error).message}`);
      const { user, system } = process.cpuUsage(begun);
      // The limit is by the clock: on a busy machine, the time may have gone by without this process. Then once more.
      if ((user + system) / 1000 < limitMs / 2) continue;
      throw invalid(
        `${parameter}: this regular expression takes more than ${limitMs} ms; ` +
          "the usual cause is a nested quantifier, such as (a+)+",
      );
    }
}

/** Whether a regular expression has a capturing group; ignores escaped parentheses and character classes. */
export function hasGroup(expression: string): boolean {
  let opened = false;
  let inClass = false;
  for (let index = 0; index < expression.length; index += 1) {
    const letter = expression[index];
    if (letter === "\\") index += 1;
    else if (inClass) inClass = letter !== "]";
    else if (letter === "[") inClass = true;
    else if (letter === "(") opened ||= captures(expression.slice(index + 1, index + 4));
    else if (letter === ")" && opened) return true;
  }
  return false;
}

const captures = (after: string) => !after.startsWith("?") || /^\?<[A-Za-z]/.test(after);

/** Strips trailing slashes. A loop, because `/\/+$/` takes quadratic time on slashes in the middle. */
export function withoutFinalSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end -= 1;
  return text.slice(0, end);
}
