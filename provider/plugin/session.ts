import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import type { Settings } from "../api/settings";
import { Declarations } from "../core/declarations";
import type { Host } from "../core/guard";
import type { EngineLog } from "../engine/log";

interface TimeLimit {
  readonly seconds: number;
  /** The resource option that sets it. */
  readonly option: string;
}

/** What the calls of one engine share: its settings, its client, its log and its wish to stop. */
export class Session {
  readonly log: EngineLog;
  /** Whether the engine tells previews of functions from runs. */
  tellsPreview = false;
  /** What this run declares. */
  readonly #declarations = new Declarations();
  readonly #working = new Set<Promise<unknown>>();
  #stop = new AbortController();
  #settings: Settings | undefined;
  #client: Client | undefined;

  constructor(log: EngineLog) {
    this.log = log;
  }

  configure(settings: Settings): void {
    void this.#client?.close();
    this.#client = undefined;
    this.#settings = settings;
    this.#declarations.clear();
    // A provider that is attached to for debugging outlives a run that was cancelled.
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  cancel(): void {
    this.#stop.abort(new PlatformError("the operation was cancelled", { code: "cancelled" }));
  }

  /** Counts a call among what is under way. */
  track(call: Promise<void>): void {
    this.#working.add(call);
    void call.finally(() => this.#working.delete(call));
  }

  /** When all that is under way has come to its end. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working);
  }

  /** For one operation on one resource; a time limit ends its waits like a cancellation. */
  host(urn: string, limit?: TimeLimit): Host {
    const signal = limit && limit.seconds > 0 ? timeoutSignal(limit) : undefined;
    return {
      client: () => this.#connected().withSignal(signal),
      log: this.log.about(urn),
      declarations: this.#declarations,
    };
  }

  /** Made at the first need, like all that costs time to load: a preview that calls nothing loads no HTTP. */
  #connected(): Client {
    if (!this.#settings) throw new PlatformError("the provider is not configured yet", { code: "config" });
    this.#client ??= connect(this.#settings, this.#stop.signal);
    return this.#client;
  }
}

function timeoutSignal({ seconds, option }: TimeLimit): AbortSignal {
  const timeout = new AbortController();
  const message = `timed out after ${seconds} s (${option}); raise it there`;
  const end = () => timeout.abort(new PlatformError(message, { code: "cancelled" }));
  // Unreferenced: a limit of an hour must not keep a process alive whose work was done in a second.
  setTimeout(end, Math.min(seconds * 1000, 2 ** 31 - 1)).unref();
  return timeout.signal;
}

function connect(settings: Settings, signal: AbortSignal): Client {
  const { Client: ClientClass } = require("../api/client") as typeof import("../api/client");
  return new ClientClass(settings, {}, signal);
}
