/** Drift, as far as it concerns plans: what differed at the preview, and what has changed since. */
import { existsSync, readFileSync } from "node:fs";
import { run } from "./run.mjs";
import { sha256 } from "./state.mjs";
import { shortName } from "./urn.mjs";

/**
 * @typedef {{ property: string, declared?: unknown, actual?: unknown }} Property
 * @typedef {{ urn: string, status: string, reason?: string, properties?: Property[] }} Checked
 * @typedef {{ differing: Record<string, string>, unreadable: string[], compared: number, notShown: number }} Drift
 *   `differing`: by URN, in words; `notShown`: how many resources the API does not show
 */

/**
 * Reads the platform and changes nothing. Also writes the report to reports/, if there is one: when some resources
 * could not be read, it says which.
 * @param {string} stack
 */
export async function checkDrift(stack) {
  const file = `reports/drift-${stack}.json`;
  const ran = await run("dataplatform", ["drift", "--stack", stack, "--format", "json", "--output", file]);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  return { ran, file, drift: report ? driftIn(report.resources) : undefined };
}

/** @param {Checked[]} resources @returns {Drift} */
export function driftIn(resources) {
  const differing = resources.filter(({ status }) => status === "drifted" || status === "gone");
  const count = (/** @type {string} */ wanted) => resources.filter(({ status }) => status === wanted).length;
  return {
    compared: differing.length + count("as-declared"),
    notShown: count("unverifiable"),
    differing: Object.fromEntries(differing.map((resource) => [resource.urn, inWords(resource)])),
    unreadable: resources
      .filter(({ status }) => status === "error")
      .map(({ urn, reason }) => `${shortName(urn)}: ${reason ?? "no reason given"}`),
  };
}

/**
 * Drift that has vanished counts too: the platform is not as it was when somebody approved the plan.
 * @param {Record<string, string>} before @param {Record<string, string>} now
 */
export function driftSince(before, now) {
  const none = "as declared";
  return Object.keys({ ...before, ...now })
    .filter((urn) => before[urn] !== now[urn])
    .sort()
    .map((urn) => `${shortName(urn)} was ${before[urn] ?? none}, and is ${now[urn] ?? none}`);
}

/** Secrets are masked in the report already. @param {Checked} resource */
function inWords({ status, properties = [] }) {
  if (status === "gone") return "gone";
  return `drifted (${properties.map(({ property, declared, actual }) => `${property}: ${short(declared)} → ${short(actual)}`).join(", ")})`;
}

/** Long values are told apart by a digest. @param {unknown} value */
function short(value) {
  const text = JSON.stringify(value) ?? "not set";
  return text.length <= 120 ? text : `${text.slice(0, 100)}… (SHA-256 ${sha256(text).slice(0, 12)})`;
}
