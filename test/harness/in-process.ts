import type { Emulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { readSettings } from "../../provider/api/settings";
import type { Declarations } from "../../provider/core/declarations";
import type { AnyResource } from "../../provider/core/define";
import { type Existing, PartialFailure } from "../../provider/core/guard";
import { Lifecycle } from "../../provider/core/lifecycle";

/** The messages that a resource logged. */
export interface Said {
  readonly infos: string[];
  readonly warnings: string[];
}

interface Options {
  readonly token?: string;
  readonly retries?: number;
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  /** Turns `dataplatform:extendedApi` on. */
  readonly extended?: boolean;
  /** What the run declares, for replacements and resources that share a key. */
  readonly declarations?: Declarations;
}

/** What the harness needs to know about a platform: the emulator, or the second platform. */
export type PlatformAt = Pick<Emulator, "url"> & { readonly tokens: Readonly<Record<string, string>> };

/** A resource's lifecycle against a platform, without the engine, which takes seconds per operation. */
export function inProcess(
  definition: AnyResource,
  emulator: PlatformAt,
  { token = "admin", retries = 2, timeoutSeconds = 30, signal, extended = false, declarations }: Options = {},
): { readonly life: Lifecycle; readonly said: Said; readonly client: Client } {
  const settings = readSettings((name) => (name === "baseUrl" ? emulator.url : undefined), {
    DATAPLATFORM_API_TOKEN: emulator.tokens[token] ?? token,
    DATAPLATFORM_RETRIES: String(retries),
    DATAPLATFORM_REQUEST_TIMEOUT_SECONDS: String(timeoutSeconds),
    DATAPLATFORM_EXTENDED_API: String(extended),
  });
  const client = new Client(settings, { firstDelayMs: 5, longestDelayMs: 20 });
  const said: Said = { infos: [], warnings: [] };
  const log = {
    info: (message: string) => void said.infos.push(message),
    warn: (message: string) => void said.warnings.push(message),
  };
  const host = {
    client: () => client.withSignal(signal),
    log,
    extendedApi: () => extended,
    ...(declarations && { declarations }),
  };
  return { life: new Lifecycle(definition, host), said, client };
}

/** What the state keeps of an operation that failed half-way. */
export async function partOf(operation: Promise<Existing>): Promise<Existing> {
  const failure: unknown = await operation.catch((error: unknown) => error);
  if (failure instanceof PartialFailure) return failure.existing;
  throw new Error(`expected a partial failure, found ${String(failure)}`);
}
