import { shortName } from "../pulumi/subject";
import { forRunner } from "../terminal/style";

/**
 * Where a run departs from its plan, the engine stops and quotes both values, of secrets too, over as many lines as they
 * have. So nothing is let through from that line on, except for which resource and property it is about.
 */

const marker = "violates plan: ";
const notice = "(The engine quotes the values here, secrets too: the rest of its output is not shown.)";

/**
 * What the engine says when a program does something else than its plan: without values, where the filter has run. Each
 * begins with words or with few characters, as the program can print long lines to be searched.
 */
const departures = [
  /(?:resource (?<urn>urn:\S+) )?violates plan: (?<what>.*)$/m,
  /(?<what>[a-z-]{1,40} is not allowed by the plan: .*)$/m,
  /(?<what>expected resource operations for (?<urn>urn:\S+) but none were seen)/m,
];

/** What an update says that did not succeed. */
export interface Failure {
  /** Where it departed from its plan, in words; undefined if it did not. */
  readonly departure?: string | undefined;
  /** What failed, by the engine's list of errors, without what is said about the plan. */
  readonly errors: readonly string[];
  /** An operation of the plan that the engine missed after these errors. */
  readonly missing?: string | undefined;
}

/** `isInterrupted`: then the engine misses what it did not come to. */
export function failureIn(output: string, isInterrupted = false): Failure {
  const printed = [...output.matchAll(/^ {4}error: (.{1,2000})/gm)].map(([, text]) => text!.trim());
  const isAboutRun = (text: string) =>
    /^(update|preview) failed$/.test(text) || departures.some((one) => one.test(text));
  const errors = [...new Set(printed)].filter((text) => !isAboutRun(text));
  const [other, notAllowed, missing] = departures.map((pattern) => inWords(pattern.exec(output)?.groups ?? {}));
  if (errors.length > 0 || isInterrupted) return { departure: other ?? notAllowed, errors, missing };
  return { departure: other ?? notAllowed ?? missing, errors };
}

function inWords({ urn, what }: { readonly urn?: string; readonly what?: string }): string | undefined {
  return urn && what && !what.includes(urn) ? `${shortName(urn)}: ${what.trim()}` : what?.trim() || undefined;
}

/** A filter for the output of `pulumi up --plan`, for the log of a job. It keeps back a line until it is complete. */
export function withoutPlannedValues(): (text: string) => string {
  let line = "";
  let isHidden = false;
  return (text) => {
    if (isHidden) return "";
    line += text;
    const start = line.indexOf(marker);
    if (start === -1) {
      const complete = line.slice(0, line.lastIndexOf("\n") + 1);
      line = line.slice(complete.length);
      return forRunner(complete);
    }
    // The name of the property stands before its values: "properties changed: ~~dbPasswd[…".
    const length = line.slice(start).search(/[[\n]/);
    if (length === -1) return "";
    isHidden = true;
    return forRunner(`${line.slice(0, start + length)}\n${notice}\n`);
  };
}
