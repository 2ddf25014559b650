import { Client } from "../../provider/api/client";
import { isPlatformError } from "../../provider/api/errors";
import type { Settings } from "../../provider/api/settings";
import { redactor } from "../../provider/core/redact";
import { accountOfToken } from "../platform/accounts";
import type { OperationName } from "./catalogue";
import type { LeftBehind } from "./cleanup";
import { type Probe, parts, readingProbes, writingProbes } from "./probes";
import { type ConformProfile, profileOf } from "./profile";
import { type ConformReport, neverTried, reportOf } from "./report";
import { type Examination, Session } from "./session";

export interface Examined {
  readonly report: ConformReport;
  readonly profile: ConformProfile;
}

/** How long removing everything may take. */
const cleanupMs = 120_000;

export async function examine(examination: Examination): Promise<Examined> {
  const { settings, signal, write, progress } = examination;
  const client = new Client(settings);
  const session = new Session(examination, client.withSignal(signal));
  let leftBehind: LeftBehind[] = [];
  try {
    await refuseStrangers(session, client.withSignal(signal));
    await runReading(session);
    if (write) leftBehind = await runWriting(session, client.afterStop(cleanupMs));
    else noteUnwritten(session);
  } finally {
    progress.end();
    await client.close();
  }
  const report = withoutSecrets(reportOf(session, leftBehind), settings.apiToken);
  return { report, profile: profileOf(report, session) };
}

async function runReading(session: Session): Promise<void> {
  for (const [name, why] of Object.entries(neverTried)) session.notTried(why, name as OperationName);
  for (const probe of readingProbes) await runOne(session, probe);
  // Ids inside policies were not seen, so only the others are known.
  if (session.valueOf("idType") === undefined) session.op("account.view").reading("idType", "text");
}

/** What could not be removed. `cleaner` sends even after a stop. */
async function runWriting(session: Session, cleaner: Client): Promise<LeftBehind[]> {
  const { write, progress } = session.options;
  let problem: Error | undefined;
  try {
    for (const part of parts) if (!write?.skip.includes(part)) await runOne(session, writingProbes[part]);
  } catch (error) {
    problem = error as Error;
  }
  progress.say("removing what was created …");
  const left = await session.with(cleaner, () => session.cleanup.run());
  if (problem) throw interrupted(problem, left);
  return left;
}

/** One probe that fails does not stop the others; its operation says that it has no answer. */
async function runOne(session: Session, { what, run }: Probe): Promise<void> {
  session.options.progress.say(`examining: ${what} …`);
  try {
    await run(session);
  } catch (error) {
    if (!isPlatformError(error) || error.code === "cancelled") throw error;
  }
}

/** Everything else would be a consequence: no platform, a wrong token, or the wrong account. */
async function refuseStrangers(session: Session, client: Client): Promise<void> {
  const { write, settings } = session.options;
  const { error } = await session.ask("account.view");
  const isNothing = error?.code === "not-found" && (await session.ask("whitelist.list")).error?.code === "not-found";
  if (error && (error.code === "unauthorized" || error.code === "redirected" || isNothing))
    throw error.with(`could not view the account at ${settings.baseUrl}: ${error.message}`);
  if (write) await refuseOtherAccount(client, write.account);
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

function noteUnwritten(session: Session): void {
  for (const { name, verdict, request } of session.operations())
    if (verdict === "not-tried" && !request.startsWith("GET ") && !Object.hasOwn(neverTried, name))
      session.notTried("it writes; needs --write", name);
}

function interrupted(problem: Error, left: readonly LeftBehind[]): Error {
  const begin = isPlatformError(problem, "cancelled") ? "stopped" : problem.message;
  const rest = left.map(({ what, why }) => `\n  ${what}: ${why}`).join("");
  return new Error(
    left.length === 0
      ? `${begin}; everything that was created is removed, except for what was announced`
      : `${begin}; could not remove:${rest}`,
  );
}

/** Nothing in a report is the platform's own text, but an id or a location that the user named could be a token. */
function withoutSecrets(report: ConformReport, secret: string): ConformReport {
  const redact = redactor(secret);
  return JSON.parse(JSON.stringify(report), (_, value: unknown) => (typeof value === "string" ? redact(value) : value));
}
