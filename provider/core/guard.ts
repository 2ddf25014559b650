import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { type Declarations, noDeclarations } from "./declarations";
import type { Context, Log } from "./define";
import { type Redactor, redactor } from "./redact";
import type { Properties } from "./values";

/** What an adapter lends to the core: the way to the platform and to the user, and what the run declares. */
export interface Host {
  /** The client of the operation: it knows when to stop. */
  client(): Client;
  log: Log;
  declarations?: Declarations;
}

export interface Existing {
  readonly id: string;
  /** Inputs as given and outputs, as they are kept in the state. */
  readonly state: Properties;
  /** Outputs that are made of an input which the program has marked as a secret; absent where there are none. */
  readonly secretOutputs?: readonly string[];
}

/** Half-made: the id and the state are to be kept, the reasons to be shown. */
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
  /** Whose lines in the log these are. */
  readonly name: string;
  /** What an error begins with. */
  readonly failed: string;
  readonly secrets: readonly string[];
}

/** What surrounds every piece of work: the API lent to it, and not a secret in what it logs or throws. */
export async function guarded<T>(
  host: Host,
  { name, failed, secrets }: Work,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  let redact = redactor(...secrets);
  try {
    const api = host.client();
    api.throwIfStopped();
    redact = redactor(api.settings.apiToken, ...secrets);
    const log: Log = {
      info: (message) => host.log.info(redact(`${name}: ${message}`)),
      warn: (message) => host.log.warn(redact(`${name}: ${message}`)),
    };
    return await work({ api, log, run: host.declarations ?? noDeclarations });
  } catch (error) {
    if (error instanceof PartialFailure)
      throw new PartialFailure(error.existing, safeMessage(error.reason, error.cause, redact));
    const known = error instanceof PlatformError ? error : undefined;
    const message = error instanceof Error ? error.message : String(error);
    throw new PlatformError(safeMessage(`${failed}: ${message}`, error, redact), {
      code: known?.code ?? "rejected",
      outcome: known?.outcome,
      status: known?.status,
      operation: known?.operation,
    });
  }
}

const withheld = "(the platform's message is withheld because it may contain a secret)";

/** The platform's own words are left out where they may tell a secret, in whatever spelling. */
function safeMessage(message: string, error: unknown, redact: Redactor): string {
  const quotes = quotesOf(error).filter((quote) => redact.hidesIn(quote));
  return redact(quotes.reduce((rest, quote) => rest.replaceAll(quote, withheld), message));
}

function quotesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const said = error instanceof PlatformError ? error.platformMessage : undefined;
  return [...(said ? [said] : []), ...quotesOf(error.cause)];
}
