import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mismatchText, type TokenAccount } from "../platform/accounts";
import { shortName } from "../pulumi/subject";
import { type Planned, previewOf } from "./planned";
import { Refused } from "./refused";
import { clipped } from "./report";
import { dataplatform, type Ran } from "./run";
import { sha256 } from "./state";

interface Checked {
  readonly urn: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly properties?:
    | readonly { readonly property: string; readonly declared?: unknown; readonly actual?: unknown }[]
    | undefined;
}

interface AddressChange {
  readonly urn: string;
  readonly address: string;
  readonly why: string;
}

/** What a plan does to the login whitelist, as the platform shows it. */
export interface WhitelistChange {
  readonly added: readonly string[];
  /** Set if nothing is on the list yet. */
  readonly isFirst?: true | undefined;
  readonly removed: readonly AddressChange[];
  readonly stays: readonly AddressChange[];
  /** Why the rest is not known; then it is empty. */
  readonly unknown: readonly string[];
}

/** What is there already where a plan creates something. `unknown`: why that is not known. */
interface Overwritten {
  readonly urn: string;
  readonly found?: Readonly<Record<string, unknown>> | undefined;
  readonly unknown?: string | undefined;
}

/** Drift, as far as it concerns plans. */
export interface Drift {
  /** By URN, in words. */
  readonly differing: Readonly<Record<string, string>>;
  readonly unreadable: readonly string[];
  /** Of the job's token, if it shows that. */
  readonly account?: TokenAccount | undefined;
  /** Why nothing was compared: the resources belong to another account. */
  readonly wrongAccount?: string | undefined;
  readonly compared: number;
  /** How many resources the API does not show. */
  readonly notShown: number;
  /** Undefined if the plan does nothing with addresses. */
  readonly whitelist?: WhitelistChange | undefined;
  readonly overwritten?: readonly Overwritten[] | undefined;
}

/**
 * Reads the platform and changes nothing. Also writes the report to reports/, if there is one: when some resources
 * could not be read, it says which. `planned`: all that the run includes, to tell what it does to the login whitelist.
 */
export async function checkDrift(
  stack: string,
  planned?: readonly Planned[],
): Promise<{ ran: Ran; file: string; drift: Drift | undefined }> {
  const file = `reports/drift-${stack}.json`;
  rmSync(file, { recursive: true, force: true });
  const args = ["drift", "--stack", stack, "--format", "json", "--output", file];
  const { stderr, ...rest } = await (planned
    ? withPlanFile(stack, planned, (plan) => dataplatform([...args, "--plan-file", plan]))
    : dataplatform(args));
  const ran = { ...rest, stderr: forJob(stderr, stack) };
  const report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  if (!report) return { ran, file, drift: undefined };
  const { account, accountMismatches: [mismatch] = [], resources, whitelist, overwritten } = report;
  return {
    ran,
    file,
    drift: {
      ...driftIn(resources),
      account,
      whitelist,
      overwritten,
      wrongAccount: mismatch && mismatchText(mismatch),
    },
  };
}

/** For another command of this package: what the plan itself does, not what the preview printed. Secrets are masked. */
export async function withPlanFile<T>(
  stack: string,
  planned: readonly Planned[],
  work: (file: string) => Promise<T>,
): Promise<T> {
  mkdirSync("reports", { recursive: true });
  const file = `reports/plan-${stack}.json`;
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, JSON.stringify(previewOf(planned)));
  try {
    return await work(file);
  } finally {
    rmSync(file, { force: true });
  }
}

/** What is missing comes from the environment or from the repository: a token in the configuration would be committed. */
export function forJob(text: string, stack: string): string {
  if (!text.includes("the data platform is not configured; missing:")) return text;
  const missing = [...text.matchAll(/^ {2}dataplatform:(\w+): .*, or set (\w+)$/gm)].map(([, name, variable]) =>
    name === "baseUrl"
      ? `Pulumi.${stack}.yaml does not name dataplatform:baseUrl`
      : `${variable} is not set: export it; a job gets it as a secret of its environment`,
  );
  return missing.join("; ") || text;
}

export async function requireDrift(stack: string, planned?: readonly Planned[]): Promise<Drift> {
  const { drift, ran } = await checkDrift(stack, planned);
  if (!drift) throw new Refused([`not verifiable: drift could not be checked: ${ran.stderr.trim()}`]);
  return drift;
}

export function driftIn(resources: readonly Checked[]): Drift {
  const differing = resources.filter(({ status }) => status === "drifted" || status === "gone");
  const count = (wanted: string): number => resources.filter(({ status }) => status === wanted).length;
  return {
    compared: differing.length + count("as-declared"),
    notShown: count("unverifiable"),
    differing: Object.fromEntries(differing.map((resource) => [resource.urn, inWords(resource)])),
    unreadable: resources
      .filter(({ status }) => status === "error")
      .map(({ urn, reason }) => `${shortName(urn)}: ${reason ?? "no reason given"}`),
  };
}

/** What the plan removes from the login whitelist. Undefined: not known. */
export function removedFrom({ whitelist }: Pick<Drift, "whitelist">): readonly string[] | undefined {
  if (whitelist && whitelist.unknown.length > 0) return undefined;
  return (whitelist?.removed ?? []).map(({ address }) => address).sort();
}

/** By URN, in words, what the plan creates something over, as far as it is known. */
export function overwrittenIn({ overwritten = [] }: Pick<Drift, "overwritten">): Record<string, string> {
  const known = overwritten.filter(({ unknown }) => unknown === undefined);
  return Object.fromEntries(known.map(({ urn, found }) => [urn, found ? short(found) : "nothing"]));
}

/** Why the rest of what the plan does is not known. */
export function unknownIn({ whitelist, overwritten = [] }: Drift): string[] {
  return [...(whitelist?.unknown ?? []), ...overwritten.flatMap(({ unknown }) => unknown ?? [])];
}

/**
 * Why nothing can be read, if that is so: a rejected token, no connection, another account. What a token may not read is
 * about single resources. `more`: where else the platform was asked.
 */
export function blindness(drift: Drift, more = ""): string[] {
  if (drift.wrongAccount)
    return [`not verifiable: ${clipped(drift.wrongAccount)}; give this job a token of that account`];
  const reasons = [...drift.unreadable, ...unknownIn(drift), more].join("\n");
  const [why] = /the platform rejected the token \(401\)|\bcannot reach .*/.exec(reasons) ?? [];
  return why ? [`not verifiable: ${clipped(why)}${why.endsWith("(401)") ? ": give this job a valid one" : ""}`] : [];
}

type Differing = Drift["differing"];

/** Drift that has vanished counts too: the platform is not as it was when somebody approved the plan. */
export function driftSince(before: Differing, now: Differing): string[] {
  const none = "as declared";
  return Object.keys({ ...before, ...now })
    .filter((urn) => before[urn] !== now[urn])
    .sort()
    .map((urn) => `${shortName(urn)} was ${before[urn] ?? none}, and is ${now[urn] ?? none}`);
}

/** Secrets are masked in the report already. */
function inWords({ status, properties = [] }: Checked): string {
  if (status === "gone") return "gone";
  return `drifted (${properties.map(({ property, declared, actual }) => `${property}: declared ${short(declared)}, on the platform ${short(actual)}`).join(", ")})`;
}

/** A policy fits, so that whoever approves a repair can read what it sets. */
const longest = 1500;

/** Longer values are told apart by a digest. */
function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "not set";
  return text.length <= longest ? text : `${text.slice(0, longest)}… (SHA-256 ${sha256(text).slice(0, 12)})`;
}
