import type { Emulator } from "../../emulator";
import { Client } from "../../provider/api/client";
import { readSettings } from "../../provider/api/settings";
import { Declarations } from "../../provider/core/declarations";
import type { AnyResource } from "../../provider/core/define";
import { FunctionRun } from "../../provider/core/function-run";
import { type Existing, PartialFailure } from "../../provider/core/guard";
import { Lifecycle } from "../../provider/core/lifecycle";
import { functionNamed } from "../../provider/functions";
import { resources } from "../../provider/resources";

/** The messages that a resource logged. */
export interface Said {
  readonly infos: string[];
  readonly warnings: string[];
}

export interface HostOptions {
  readonly token?: string;
  readonly retries?: number;
  readonly timeoutSeconds?: number;
  /** An interrupt: what is under way ends, and nothing else begins. */
  readonly signal?: AbortSignal;
  /** Turns `dataplatform:extendedApi` on. */
  readonly extended?: boolean;
  /** Shortens every pause, where the test moves the platform's clock; a number: to that part of it, as the platform's own. */
  readonly hurried?: boolean | number;
  /** What the run declares, for replacements and resources that share a key. */
  readonly declarations?: Declarations;
  /** Shared by what one process serves. */
  readonly client?: Client;
}

/** What the harness needs to know about a platform: the emulator, or the second platform. */
export type PlatformAt = Pick<Emulator, "url"> & {
  readonly tokens: Readonly<Record<string, string>>;
  /** A file that says how it wants its requests. */
  readonly profile?: string | undefined;
};

export const definitionOf = (type: string): AnyResource => resources.find((one) => one.type === type)!;

/** A resource's lifecycle against a platform, without the engine, which takes seconds per operation. */
export function inProcess(
  definition: AnyResource,
  platform: PlatformAt,
  options: HostOptions = {},
): { readonly life: Lifecycle; readonly said: Said; readonly client: Client } {
  const { host, said, client } = hostAt(platform, options);
  return { life: new Lifecycle(definition, host), said, client };
}

/** The same, with the id and the state of a resource that it has created. */
export async function createdBy<Made extends { readonly life: Lifecycle }>(
  made: Made,
  inputs: Record<string, unknown>,
): Promise<Made & Existing> {
  return { ...made, ...(await made.life.create(inputs)) };
}

/** Resources of one run, which know of each other's declarations. */
export function inOneRun(platform: PlatformAt, options: HostOptions = {}) {
  const declarations = new Declarations();
  const { client } = hostAt(platform, options);
  return (definition: AnyResource) => inProcess(definition, platform, { ...options, declarations, client });
}

/** What a function returns, without the engine. */
export function resultOf(
  name: string,
  inputs: Record<string, unknown>,
  platform: PlatformAt,
  { preview = false, ...options }: HostOptions & { readonly preview?: boolean } = {},
): Promise<Record<string, unknown>> {
  return new FunctionRun(functionNamed(name)!, hostAt(platform, options).host).run(inputs, { preview });
}

/** What a lifecycle runs in, and what is said there. */
export function hostAt(
  platform: PlatformAt,
  {
    token = "admin",
    retries = 2,
    timeoutSeconds = 30,
    signal,
    extended = false,
    hurried,
    declarations,
    client: shared,
  }: HostOptions = {},
) {
  const settings = readSettings((name) => (name === "baseUrl" ? platform.url : undefined), {
    DATAPLATFORM_API_TOKEN: platform.tokens[token] ?? token,
    DATAPLATFORM_RETRIES: String(retries),
    DATAPLATFORM_REQUEST_TIMEOUT_SECONDS: String(timeoutSeconds),
    DATAPLATFORM_EXTENDED_API: String(extended),
    DATAPLATFORM_PROFILE: platform.profile,
  });
  const client =
    shared ??
    (typeof hurried === "number" ? faster(hurried, settings) : new (hurried ? Hurried : Client)(settings, quick));
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
  return { host, said, client };
}

const quick = { firstDelayMs: 5, longestDelayMs: 200, patienceMs: 15 };

/** Waits as often as the real one, and as long in proportion. */
const faster = (times: number, settings: ConstructorParameters<typeof Client>[0]) =>
  new (class extends Client {
    override pause(ms: number): Promise<void> {
      return super.pause(ms / times);
    }
  })(settings);

/** Waits as often as the real one, but never for long. */
class Hurried extends Client {
  override pause(ms: number): Promise<void> {
    return super.pause(Math.min(ms, 20));
  }
}

/** What the state keeps of an operation that failed half-way. */
export const partOf = async (operation: Promise<Existing>): Promise<Existing> => (await failureOf(operation)).existing;

export async function failureOf(operation: Promise<unknown>): Promise<PartialFailure> {
  const failure: unknown = await operation.catch((error: unknown) => error);
  if (failure instanceof PartialFailure) return failure;
  throw new Error(`expected a partial failure, found ${String(failure)}`);
}
