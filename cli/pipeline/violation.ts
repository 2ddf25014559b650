import { forRunner } from "../terminal/style";
import { shortName } from "./names";

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

/** Where a run departed from its plan, in words; undefined if it did not. */
export function departureIn(output: string): string | undefined {
  // After a failure, the engine misses the operations that would have followed.
  const hasFailed = errorsIn(output).length > 0;
  for (const pattern of hasFailed ? departures.slice(0, -1) : departures) {
    const { urn, what = "" } = pattern.exec(output)?.groups ?? {};
    if (what) return urn && !what.includes(urn) ? `${shortName(urn)}: ${what.trim()}` : what.trim();
  }
  return undefined;
}

/** What failed, by the engine's list of errors, without what is said about the plan. */
export function errorsIn(output: string): string[] {
  const errors = [...output.matchAll(/^ {4}error: (.{1,2000})/gm)].map(([, text]) => text!.trim());
  const isOther = (text: string) => /^(update|preview) failed$/.test(text) || departures.some((one) => one.test(text));
  return [...new Set(errors)].filter((text) => !isOther(text));
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
