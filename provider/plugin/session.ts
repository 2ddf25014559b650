import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import type { Settings } from "../api/settings";
import { isMeantElsewhere } from "../core/account";
import { Declarations } from "../core/declarations";
import type { Host } from "../core/guard";
import { deepEqual, type Properties } from "../core/properties";
import type { Methods } from "../engine/grpc-server";
import type { EngineLog } from "../engine/log";
import { Neighbours } from "../engine/neighbours";
import { toRefusal } from "./errors";
import type { RequestStub } from "./stubs";

interface Response {
  serializeBinary(): Uint8Array;
}

interface TimeLimit {
  readonly seconds: number;
  /** The resource option that sets it. */
  readonly option: string;
}

/** What the calls of one engine share: settings, client, log and cancellation. */
export class Session {
  readonly log: EngineLog;
  /** Whether the engine is 3.206 or later, which says if a function call is a preview. */
  isSince3206 = false;
  /** By URN: what this run has imported, and what is still to be said of it. */
  readonly imported = new Map<string, string>();
  /** What this run declares. */
  #declarations = new Declarations();
  readonly #inFlight = new Set<Promise<unknown>>();
  #cancellation = new AbortController();
  #settings: Settings | undefined;
  #given: Properties = {};
  #client: Client | undefined;

  /** A provider that a debugger runs serves one engine after the other. */
  readonly #servesMany: boolean;

  constructor(log: EngineLog, { servesMany = false } = {}) {
    this.log = log;
    this.#servesMany = servesMany;
  }

  /** The engine does this once: whoever does it again may want the token at an address of their own. */
  configure(settings: Settings, given: Properties): void {
    if (this.#settings && !this.#servesMany && !deepEqual(given, this.#given))
      throw new PlatformError("the provider is configured already, and its settings cannot be changed", {
        code: "config",
        outcome: "not-sent",
      });
    this.#given = given;
    void this.#client?.close();
    this.#client = undefined;
    this.#settings = settings;
    this.#declarations = new Declarations();
    const engine = this.log.address;
    const { workedIn } = this.#declarations;
    if (engine !== undefined) this.#declarations.others = new Neighbours(engine, settings, workedIn);
    this.imported.clear();
    // A provider attached for debugging outlives a cancelled run.
    if (this.#cancellation.signal.aborted) this.#cancellation = new AbortController();
  }

  /** The settings that the program or the configuration gave; the others come from the environment. */
  get given(): Properties {
    return this.#given;
  }

  /** Aborted when the engine cancels the run. */
  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  cancel(): void {
    this.#cancellation.abort(new PlatformError("the operation was cancelled", { code: "cancelled" }));
  }

  /** A method of the service: its response, its responses, or its error follow its log lines. */
  method<Request>(
    stub: RequestStub<Request>,
    work: (request: Request) => Promise<Response | Response[]>,
  ): Methods[string] {
    const answer = async (bytes: Uint8Array) => {
      try {
        const answered = await work(stub.deserializeBinary(bytes));
        return Array.isArray(answered) ? answered.map((one) => one.serializeBinary()) : answered.serializeBinary();
      } catch (error) {
        throw toRefusal(error);
      } finally {
        await this.log.drain();
      }
    };
    return (bytes) => {
      const call = answer(bytes).finally(() => this.#inFlight.delete(call));
      this.#inFlight.add(call);
      return call;
    };
  }

  /** Resolves when no call is in flight. */
  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.allSettled(this.#inFlight);
  }

  /** For one operation on one resource; a time limit, which starts with its work, cancels it. */
  host(urn: string, limit?: TimeLimit): Host {
    let timeout: Timeout | undefined;
    return {
      client: () => {
        if (limit && limit.seconds > 0) timeout ??= timeoutOf(limit);
        return this.#connected().withSignal(timeout?.signal);
      },
      ended: () => {
        clearTimeout(timeout?.timer);
        timeout = undefined;
      },
      log: this.log.about(urn),
      declarations: this.#declarations,
      settingsMayBeOld: true,
      extendedApi: () => this.#settings?.extendedApi ?? false,
    };
  }

  /** Whether a resource is to be replaced by one in the account that the provider is for. */
  async isMeantElsewhere(state: Properties): Promise<boolean> {
    return this.#settings?.accountId === undefined ? false : isMeantElsewhere(this.#connected(), state);
  }

  /** Created on first use: a preview that sends nothing loads no HTTP client. */
  #connected(): Client {
    if (!this.#settings) throw new PlatformError("the provider is not configured yet", { code: "config" });
    this.#client ??= connect(this.#settings, this.#cancellation.signal);
    return this.#client;
  }
}

interface Timeout {
  readonly signal: AbortSignal;
  readonly timer: NodeJS.Timeout;
}

function timeoutOf({ seconds, option }: TimeLimit): Timeout {
  const timeout = new AbortController();
  const message = `timed out after ${seconds} s (${option}); raise it there`;
  const end = () => timeout.abort(new PlatformError(message, { code: "cancelled" }));
  // Unreferenced: a limit of an hour must not keep the process alive after the work is done.
  const timer = setTimeout(end, Math.min(seconds * 1000, 2 ** 31 - 1)).unref();
  return { signal: timeout.signal, timer };
}

/** With other settings than the session's, such as those that a provider had before. */
export async function askedWith<T>(settings: Settings, ask: (api: Client) => Promise<T>): Promise<T> {
  const api = connect(settings, new AbortController().signal);
  try {
    return await ask(api);
  } finally {
    await api.close();
  }
}

function connect(settings: Settings, signal: AbortSignal): Client {
  const { Client: ClientClass } = require("../api/client") as typeof import("../api/client");
  return new ClientClass(settings, {}, signal);
}
