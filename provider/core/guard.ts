import type { Client } from "../api/client";
import { PlatformError, stopped } from "../api/errors";
import type { Context, Log } from "./define";
import { redactor } from "./secrets";
import type { Properties } from "./values";

/** What an adapter lends to the core: the way to the platform and to the user. */
export interface Host {
  client(): Client;
  log: Log;
  signal?: AbortSignal | undefined;
}

export interface Existing {
  readonly id: string;
  /** Inputs as given and outputs, as they are kept in the state. */
  readonly state: Properties;
}

/** Half-made: the id and the state are to be kept, the reasons to be shown. */
export class PartialFailure extends Error {
  constructor(
    readonly existing: Existing,
    readonly reason: string,
  ) {
    super(reason);
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
    if (host.signal?.aborted) throw stopped(host.signal);
    const api = host.client().withSignal(host.signal);
    redact = redactor(api.settings.apiToken, ...secrets);
    const log: Log = {
      info: (message) => host.log.info(redact(`${name}: ${message}`)),
      warn: (message) => host.log.warn(redact(`${name}: ${message}`)),
    };
    return await work({ api, log, signal: host.signal });
  } catch (error) {
    if (error instanceof PartialFailure) throw new PartialFailure(error.existing, redact(error.reason));
    const known = error instanceof PlatformError ? error : undefined;
    throw new PlatformError(redact(`${failed}: ${error instanceof Error ? error.message : String(error)}`), {
      code: known?.code ?? "rejected",
      status: known?.status,
      operation: known?.operation,
    });
  }
}
