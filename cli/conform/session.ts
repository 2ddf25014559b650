import type { z } from "zod";
import type { ReadingName, Readings } from "../../emulator/readings";
import { anyAnswer, rawText, readAnswer } from "../../provider/api/answer";
import type { Client } from "../../provider/api/client";
import { isPlatformError, type PlatformError } from "../../provider/api/errors";
import { isLacking } from "../../provider/api/meaning";
import type { Settings } from "../../provider/api/settings";
import type { RawAnswer } from "../../provider/api/transport";
import { nextPageIn } from "../../provider/platform/paged-list";
import { type Fields, isFields } from "../../provider/values/json";
import { Reader } from "../platform/connect";
import type { StatusLine } from "../terminal/status-line";
import { examined, type OperationName } from "./catalogue";
import { Cleanup, type Step } from "./cleanup";
import { Findings } from "./findings";
import { type Answer, answerShape, notShownForm, recordsIn, statusText } from "./forms";
import { problemsOf } from "./specified";
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
  /** Whether policies of environments can be set, which the specification does not say; undefined if not tried. */
  environmentPolicies?: boolean;
  /** Whether the specified operation takes the description of an address, which the specification does not have; undefined if not tried. */
  takesDescriptions?: boolean;
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
  readonly options: Examination;
  #client: Client;

  constructor(options: Examination, client: Client) {
    super();
    this.options = options;
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
   * Sends one request and reads the answer as it is. `step` undoes what the request does; what was refused for certain
   * needs no undo, and may be somebody else's.
   */
  async ask(name: OperationName, ask: Ask = {}, step?: Step): Promise<Answer> {
    const { operation } = examined[name];
    // The one place that sends: reading mode cannot change anything, whatever a probe does.
    if (operation.method !== "GET" && !this.options.write)
      throw new Error(`${operation.method} ${operation.path} would write; that needs --write`);
    this.tried(name, { isThere: false });
    if (step) this.cleanup.add(step);
    const { isText, ...call } = ask;
    const raw = await this.#client.exchange(operation, call as never).catch((error: unknown) => {
      if (isPlatformError(error) && error.code !== "cancelled")
        this.deviates(name, `no answer: ${error.code}`, "needs this");
      throw error;
    });
    const json = parsed(raw.text);
    const error = refusalIn(name, raw, isText ?? false);
    const answer = { ...raw, json, fields: isFields(json) ? json : {}, error };
    this.options.onExchange?.({ name, ask, answer });
    this.tried(name, { isThere: !error });
    if (step && error && error.outcome !== "open") this.cleanup.done(step);
    return answer;
  }

  /** The answer if the operation was carried out; otherwise records why it was not, and returns undefined. */
  async expect(name: OperationName, ask: Ask = {}, step?: Step): Promise<Answer | undefined> {
    const answer = await this.ask(name, ask, step);
    if (!answer.error) {
      if (!ask.isText) this.#checkBody(name, answer);
      return answer;
    }
    this.failed(name, answer.error);
    return undefined;
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
      if (nextPageIn(json) !== page + 1) break;
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

  /** Records a refusal of something that should be possible. */
  failed(name: OperationName, error: PlatformError): void {
    const { operation, isExtended } = examined[name];
    const { groups, role } = operation.permission;
    if (error.code === "forbidden") {
      const needed = `needs ${groups}, or a role that allows ${role}`;
      this.without(name, "not-allowed", `the token may not ${operation.does}: ${needed}`);
    } else if (isExtended && (isAbsence(error) || isLacking(operation, error))) {
      this.without(name, "lacking", `this installation does not have it (${statusText(error)})`);
    } else this.deviates(name, `refused (${statusText(error)})`, "needs this");
  }

  /** Whether the provider's own function can read this platform. */
  async providerReads(name: OperationName, call: string, inputs: Record<string, unknown> = {}): Promise<void> {
    try {
      await new Reader(this.#client).run(call, inputs);
      this.providerWorks(name, true);
    } catch (error) {
      if (isPlatformError(error, "cancelled")) throw error;
      // The platform is as it should be; another token could read it.
      if (isPlatformError(error, "forbidden")) return;
      this.providerWorks(name, false);
      const why = isPlatformError(error) ? error.code : "an error";
      this.deviates(name, `the provider's ${call} fails: ${why}`, "needs this");
    }
  }

  /** Records where an answer is not as the specification says: one deviation for each field, however often. */
  check(name: OperationName, json: unknown, schema: z.ZodType, section?: string): void {
    for (const problem of problemsOf(json, schema)) this.deviates(name, problem, undefined, section);
  }

  /** Records the form of an answer. One that the emulator does not have stays open; `what` says what is noted of it. */
  form<N extends ReadingName>(
    name: OperationName,
    reading: N,
    form: Readings[N] | undefined,
    answer: Answer,
    what?: string,
  ): void {
    const shape = answerShape(answer);
    this.reading(name, reading, form, `another form: ${shape}`);
    if (form === undefined && what !== undefined) this.note(name, `${what} is ${shape}`);
  }

  /** The form of an answer that the specification does not show. */
  notShown(name: OperationName, answer: Answer): void {
    this.form(name, "notShownAnswer", notShownForm(answer), answer, "the answer");
  }

  #checkBody(name: OperationName, { json, text, contentType, status }: Answer): void {
    if (text.trim() === "" || status === 204) return;
    if (json === undefined) this.deviates(name, "the answer is not JSON", undefined, "1");
    else if (!/^application\/(\S+\+)?json\b/i.test(contentType ?? "")) {
      const type = `the Content-Type of the answer is ${typeText(contentType)}, not application/json`;
      this.deviates(name, type, "copes", "1");
    }
    if (status !== 200) this.note(name, `succeeds with HTTP ${status}`);
  }
}

/** Probes name things that exist, so "not found" means the operation itself; so does a page instead of an answer. */
const isAbsence = (error: PlatformError): boolean => error.code === "not-found" || error.code === "bad-answer";

/** The media type alone: the rest of the header is the platform's text. */
const typeText = (header: string | undefined): string => /^[\w.+-]+\/[\w.+-]+/.exec(header ?? "")?.[0] ?? "absent";

function refusalIn(name: OperationName, raw: RawAnswer, isText: boolean): PlatformError | undefined {
  try {
    readAnswer(examined[name].operation, raw, isText ? rawText : anyAnswer);
    return undefined;
  } catch (error) {
    // An answer that is not JSON is a success of another form, which the checks name. But a platform that does not
    // have an operation may answer with a page.
    if (isPlatformError(error, "bad-answer") && !examined[name].isExtended) return undefined;
    if (isPlatformError(error)) return error;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
