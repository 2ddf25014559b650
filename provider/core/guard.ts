import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { Declarations } from "./declarations";
import type { Context, Log } from "./define";
import type { Properties } from "./properties";
import { type Redactor, redactor } from "./redact";

/** What an adapter provides to the core: the API client, the log, and what the run declares. */
export interface Host {
  /** The client for this operation, bound to its cancellation. */
  client(): Client;
  /** The work with the client has ended. */
  ended?(): void;
  log: Log;
  declarations?: Declarations;
  /** Set for the engine, which refreshes, destroys and imports with the settings of the last run. */
  settingsMayBeOld?: true;
  /** Whether `dataplatform:extendedApi` is on. Does not connect to the platform. */
  extendedApi?(): boolean;
}

export interface Existing {
  readonly id: string;
  /** Inputs as given and outputs, as they are kept in the state. */
  readonly state: Properties;
  /** Outputs derived from an input that the program marked as a secret; absent if there are none. */
  readonly secretOutputs?: readonly string[];
}

/** A partial success: the state keeps the resource, and the user sees the reason. */
export class PartialFailure extends Error {
  constructor(
    readonly existing: Existing,
    readonly reason: string,
    cause?: unknown,
  ) {
    super(reason, { cause });
    this.name = "PartialFailure";
  }
}

interface Work {
  /** Prefix of its log lines. */
  readonly name: string;
  /** Prefix of its errors. */
  readonly failed: string;
  readonly secrets: readonly string[];
  /** Whether the engine may do this without the program, with the settings of the last run. */
  readonly mayBeOld?: boolean;
}

const oldToken =
  '. If the token is in the stack\'s configuration, refresh (also that of "pulumi up --refresh"), destroy and import use that of the last "pulumi up": after a change of the token, run "pulumi up" without --refresh first, or add --run-program to a refresh or destroy';

/** Runs work with the API client, and redacts secrets from what it logs and throws. */
export async function guarded<T>(
  host: Host,
  { name, failed, secrets, mayBeOld = false }: Work,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const hidden = [...secrets];
  // A message about one resource may name what another one of the run declares.
  const redactorFor = (text: string): Redactor => redactor(...hidden, ...(host.declarations?.secretsIn(text) ?? []));
  const safe = (message: string): string => redactorFor(message)(`${name}: ${message}`);
  try {
    const api = host.client();
    api.throwIfStopped();
    hidden.push(api.settings.apiToken);
    const log: Log = {
      info: (message) => host.log.info(safe(message)),
      warn: (message) => host.log.warn(safe(message)),
    };
    // Outside a run, as in functions and tools that look at single resources, nothing is declared.
    return await work({ api, log, run: host.declarations ?? new Declarations() });
  } catch (error) {
    if (error instanceof PartialFailure)
      throw new PartialFailure(error.existing, safeMessage(error.reason, error.cause, redactorFor(error.reason)));
    const platformError = error instanceof PlatformError ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    const isOld = host.settingsMayBeOld && mayBeOld && isPlatformError(error, "unauthorized", "wrong-account");
    const hint = isOld ? oldToken : "";
    throw new PlatformError(safeMessage(`${failed}: ${message}${hint}`, error, redactorFor(message)), {
      code: platformError?.code ?? "rejected",
      outcome: platformError?.outcome,
      status: platformError?.status,
    });
  } finally {
    host.ended?.();
  }
}

/** How long a preview waits for what it can go on without. */
const maxPreviewMs = 10_000;

/** For work that is not worth all retries. A platform that cannot be reached is reported once, and not waited for again. */
export async function briefly(context: Context, work: (context: Context) => Promise<void>): Promise<void> {
  const { outage } = context.api;
  const api = context.api.within(maxPreviewMs);
  const begunAt = performance.now();
  try {
    api.throwIfStopped();
    await api.untilStopped(work({ ...context, api }));
  } catch (error) {
    if (!isPlatformError(error, "cancelled", "unreachable")) throw error;
    outage.gaveUp(error, begunAt);
    if (!outage.isKnown) throw error;
    if (outage.takeFirst()) throw error.with(`${error.message}. The rest of this preview goes on without the platform`);
  }
}

export const withoutVerb = (error: unknown): string => (error as Error).message.replace(/^cannot preview [^:]*: /, "");

const withheld = "(the platform's message is withheld because it may contain a secret)";

/** The platform's own words are withheld where they may contain a secret, in whatever spelling. */
function safeMessage(message: string, error: unknown, redact: Redactor): string {
  const quotes = quotesOf(error).filter((quote) => redact.hidesIn(quote));
  return redact(quotes.reduce((rest, quote) => rest.replaceAll(quote, withheld), message));
}

function quotesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const said = error instanceof PlatformError ? error.platformMessage : undefined;
  return [...(said ? [said] : []), ...quotesOf(error.cause)];
}
