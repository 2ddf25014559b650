import { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import type { Settings } from "../../provider/api/settings";
import { redactor } from "../../provider/core/redact";
import { accountOfToken } from "../platform/accounts";
import type { StatusLine } from "../terminal/status-line";
import type { OperationName } from "./catalogue";
import { Cleanup, type LeftBehind } from "./cleanup";
import { type Part, type Probe, parts, readingProbes, writingProbes } from "./probes";
import { profileOf } from "./profile";
import { type ConformReport, reportOf } from "./report";
import { type Exchange, Session } from "./session";
import type { Targets } from "./targets";
import { neverTried } from "./undetermined";

export interface Examination {
  readonly settings: Settings;
  readonly targets: Targets;
  /** Undefined: reading only. */
  readonly write: { readonly account: string; readonly skip: readonly Part[] } | undefined;
  readonly tool: string;
  readonly progress: StatusLine;
  /** Distinguishes what this run creates. */
  readonly mark: string;
  readonly waitSeconds: number;
  /** Stops the examination; what it created is removed all the same. */
  readonly signal?: AbortSignal | undefined;
  /** For tests. */
  readonly pauseMs?: number | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

export interface Examined {
  readonly report: ConformReport;
  readonly profile: ReturnType<typeof profileOf>;
}

/** How long removing everything may take. */
const cleanupMs = 120_000;

export async function examine(examination: Examination): Promise<Examined> {
  const { settings, tool, write } = examination;
  const client = new Client(settings);
  const cleanup = write && new Cleanup();
  const session = sessionOf(examination, client, cleanup);
  let leftBehind: LeftBehind[] = [];
  try {
    leftBehind = await runAll(session, examination, client);
  } finally {
    examination.progress.end();
    await client.close();
  }
  const report = reportOf(session.findings, {
    tool,
    platform: settings.baseUrl,
    account: session.facts.account?.id,
    writes: write !== undefined,
    announced: cleanup?.stayed ?? [],
    leftBehind,
  });
  const clean = withoutSecrets(report, settings.apiToken);
  return { report: clean, profile: profileOf(clean, session) };
}

function sessionOf(examination: Examination, client: Client, cleanup: Cleanup | undefined): Session {
  const { targets, mark, waitSeconds, signal, onExchange, pauseMs = 1000 } = examination;
  return new Session({ client: client.withSignal(signal), targets, cleanup, mark, waitSeconds, pauseMs, onExchange });
}

async function runAll(session: Session, examination: Examination, client: Client): Promise<LeftBehind[]> {
  const { write } = examination;
  await refuseStrangers(session, examination);
  for (const [name, why] of Object.entries(neverTried)) session.notTried(why, name as OperationName);
  for (const probe of readingProbes) await runOne(session, probe, examination.progress);
  settleIds(session);
  if (!write) {
    noteUnwritten(session);
    return [];
  }
  let problem: unknown;
  try {
    for (const part of parts) {
      if (write.skip.includes(part)) continue;
      await runOne(session, writingProbes[part], examination.progress);
    }
  } catch (error) {
    problem = error;
  }
  examination.progress.say("removing what was created …");
  const left = await session.cleanup.run(client.afterStop(cleanupMs));
  if (problem !== undefined) throw interrupted(problem, left);
  return left;
}

/** One probe that fails does not stop the others; its operation says that it has no answer. */
async function runOne(session: Session, { what, run }: Probe, progress: StatusLine): Promise<void> {
  progress.say(`examining: ${what} …`);
  try {
    await run(session);
  } catch (error) {
    if (!isPlatformError(error) || error.code === "cancelled") throw error;
  }
}

/** Everything else would be a consequence: no platform, a wrong token, or the wrong account. */
async function refuseStrangers(session: Session, { write, settings }: Examination): Promise<void> {
  const { error } = await session.ask("account.view");
  const isNothing = error?.code === "not-found" && (await session.ask("whitelist.list")).error?.code === "not-found";
  if (error && (error.code === "unauthorized" || error.code === "redirected" || isNothing))
    throw error.with(`could not view the account at ${settings.baseUrl}: ${error.message}`);
  if (write) await refuseOtherAccount(session.options.client, write.account);
}

/** Before anything is planned or written: the token must belong to the account that may be changed. */
export async function refuseWrongToken(settings: Settings, account: string): Promise<void> {
  const client = new Client(settings);
  try {
    await refuseOtherAccount(client, account);
  } finally {
    await client.close();
  }
}

async function refuseOtherAccount(client: Client, wanted: string): Promise<void> {
  const account = await accountOfToken(client);
  if (account?.id === wanted) return;
  const whose = account ? `belongs to account ${account.id}` : "belongs to an account that it may not view";
  throw new Error(
    `nothing was written: --account is ${wanted}, but the token ${whose}. Use a token of account ${wanted}, or name the account that may be changed`,
  );
}

/** Ids inside policies were not seen, so only the others are known. */
function settleIds({ findings }: Session): void {
  if (findings.valueOf("idType") === undefined) findings.reading("account.view", "idType", "text");
}

function noteUnwritten(session: Session): void {
  for (const { name, verdict, request } of session.findings.report())
    if (verdict === "not-tried" && !request.startsWith("GET ") && !Object.hasOwn(neverTried, name))
      session.notTried("it writes; needs --write", name);
}

function interrupted(problem: unknown, left: readonly LeftBehind[]): Error {
  const why = isPlatformError(problem, "cancelled")
    ? "stopped"
    : problem instanceof Error
      ? problem.message
      : String(problem);
  const rest = left.map(({ what, why: reason }) => `\n  ${what}: ${reason}`).join("");
  return new Error(
    left.length === 0
      ? `${why}; everything that was created is removed, except for what was announced`
      : `${why}; could not remove:${rest}`,
  );
}

/** Nothing in a report is the platform's own text, but an id or a location that the user named could be a token. */
function withoutSecrets<T>(value: T, ...secrets: readonly string[]): T {
  const redact = redactor(...secrets);
  const clean = (one: unknown): unknown => {
    if (typeof one === "string") return redact(one);
    if (Array.isArray(one)) return one.map(clean);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, clean(inner)]));
  };
  return clean(value) as T;
}
