import type { Client } from "../../provider/api/client";
import { isPlatformError, type PlatformError } from "../../provider/api/errors";
import type { Settings } from "../../provider/api/settings";
import { pagingIn } from "../../provider/platform/paged-list";
import type { Fields } from "../../provider/values/json";
import { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";
import { Answer } from "./answer";
import { examined, type OperationName } from "./catalogue";
import { Cleanup, type Step } from "./cleanup";
import { Findings } from "./findings";
import { recordsIn } from "./forms";
import type { Targets } from "./targets";

export interface Examination {
  readonly settings: Settings;
  readonly targets: Targets;
  /** Undefined: reading only. `skip`: parts, by their names. */
  readonly write: { readonly account: string; readonly skip: readonly string[] } | undefined;
  readonly tool: string;
  readonly progress: StatusLine;
  /** Distinguishes what this run creates. */
  readonly mark: string;
  /** How long commands are waited for. */
  readonly waitSeconds: number;
  /** Stops the examination; what it created is removed all the same. */
  readonly signal?: AbortSignal | undefined;
  /** Between two looks at something that may take a while. For tests, as the next one. */
  readonly pauseMs?: number | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** A request of a probe. */
export interface Ask {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** The answer is text, such as a log. */
  readonly isText?: boolean;
}

/** A request and its answer, for those who compare two platforms. */
export interface Exchange {
  readonly name: OperationName;
  readonly ask: Ask;
  readonly answer: Answer;
}

interface Named {
  readonly id: string;
  readonly name: string;
  readonly source: unknown;
}

/** What one probe finds and another needs. */
export class Facts {
  account?: { readonly id: string; readonly name: string | undefined };
  /** Complete entries of get_users. */
  users: { readonly id: string; readonly email: string }[] = [];
  /** Those that can be looked at; the one that the user named comes first. */
  tables: { readonly schema: string; readonly table: string }[] = [];
  /** A command as the history shows it: one that is done, or else has ended, or else any. */
  command?: Fields | undefined;
  groups: Named[] = [];
  roles: Named[] = [];
  /** Whether refusals have a status of their own; undefined until one was seen. */
  refusalsHaveStatus?: boolean;
  /** Our own addresses that the platform has added, but not listed yet. */
  readonly unlisted = new Set<string>();
  /** Our own commands that have ended. */
  readonly ended = new Set<string>();
}

/** How often something is looked at that may show late. */
const looks = 5;
const lastPage = 100;

/** One examination of one platform: asks, and collects what it finds. */
export class Session extends Findings {
  readonly facts = new Facts();
  readonly cleanup = new Cleanup();
  #client: Client;

  constructor(
    readonly options: Examination,
    client: Client,
  ) {
    super();
    this.#client = client;
  }

  get targets(): Targets {
    return this.options.targets;
  }

  /** Meanwhile, everything is sent with another client: one with another token, or one that goes on after a stop. */
  async with<T>(client: Client, work: () => Promise<T>): Promise<T> {
    const usual = this.#client;
    this.#client = client;
    try {
      return await work();
    } finally {
      this.#client = usual;
    }
  }

  /**
   * Sends one request and reads the answer as it is. `step` undoes what the request does.
   */
  async ask(name: OperationName, ask: Ask = {}, step?: Step): Promise<Answer> {
    const { operation } = examined[name];
    const op = this.op(name);
    // The one place that sends: reading mode cannot change anything, whatever a probe does.
    if (operation.method !== "GET" && !this.options.write)
      throw new Error(`${operation.method} ${operation.path} would write; that needs --write`);
    op.isTried = true;
    if (step) this.cleanup.add(step);
    const { isText = false, ...call } = ask;
    const raw = await this.#client.exchange(operation, call as never).catch((error: unknown) => {
      if (isPlatformError(error)) {
        if (error.code !== "cancelled") op.deviates(`no answer: ${error.code}`, "needs this");
        this.#spare(step, error);
      }
      throw error;
    });
    const answer = new Answer(op, raw, isText);
    this.options.onExchange?.({ name, ask, answer });
    op.isThere ||= !answer.error;
    this.#spare(step, answer.error);
    return answer;
  }

  /** What was not sent, or was refused for certain, needs no undo, and may be somebody else's. */
  #spare(step: Step | undefined, error: PlatformError | undefined): void {
    if (step && error && error.outcome !== "open") this.cleanup.done(step);
  }

  /** The answer if the operation was carried out; otherwise notes why it was not, and returns undefined. */
  async expect(name: OperationName, ask: Ask = {}, step?: Step): Promise<Answer | undefined> {
    const answer = await this.ask(name, ask, step);
    if (answer.error) {
      answer.op.failed(answer.error);
      return undefined;
    }
    if (!ask.isText) answer.checkBody();
    return answer;
  }

  /** Like `expect`, and finds out whether the provider's own function can read it. */
  async expectReadable(
    name: OperationName,
    call: string,
    { inputs, ...ask }: Ask & { readonly inputs?: Record<string, unknown> } = {},
  ): Promise<Answer | undefined> {
    const answer = await this.expect(name, ask);
    await this.providerReads(name, call, inputs);
    return answer;
  }

  /** All records of a list, also where it has pages; undefined if it does not answer. */
  async records(name: OperationName, list: string): Promise<Fields[] | undefined> {
    const records: Fields[] = [];
    for (let page = 1; page <= lastPage; page++) {
      const { json, error } = await this.ask(name, page === 1 ? {} : { query: { page } });
      // Some platforms have no list while it is empty.
      if (error) return error.code === "not-found" ? records : undefined;
      records.push(...recordsIn(json, list));
      if (pagingIn(json).nextPage !== page + 1) break;
    }
    return records;
  }

  /** What a look shows, which may take a while after a write; undefined if it never shows. */
  async eventually<T>(look: () => Promise<T | undefined>): Promise<{ shown: T; isLate: boolean } | undefined> {
    for (let at = 0; at < looks; at++) {
      if (at > 0) await this.pause();
      const shown = await look();
      if (shown !== undefined) return { shown, isLate: at > 0 };
    }
    return undefined;
  }

  pause(ms = this.options.pauseMs ?? 1000): Promise<void> {
    return this.#client.pause(ms);
  }

  /** Whether the provider's own function can read this platform. */
  async providerReads(name: OperationName, call: string, inputs: Record<string, unknown> = {}): Promise<void> {
    const op = this.op(name);
    try {
      await new Reader(this.#client).run(call, inputs);
      op.providerWorks = true;
    } catch (error) {
      if (isPlatformError(error, "cancelled")) throw error;
      // The platform is as it should be; another token could read it.
      if (isPlatformError(error, "forbidden")) return;
      op.providerWorks = false;
      op.deviates(`the provider's ${call} fails: ${isPlatformError(error) ? error.code : "an error"}`, "needs this");
    }
  }
}
