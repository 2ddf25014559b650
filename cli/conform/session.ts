import type { ReadingName, Readings } from "../../emulator/readings";
import { anyAnswer, rawText, readAnswer } from "../../provider/api/answer";
import type { Client } from "../../provider/api/client";
import { isPlatformError, type PlatformError } from "../../provider/api/errors";
import { isLacking } from "../../provider/api/installation";
import type { RawAnswer } from "../../provider/api/transport";
import { Reader } from "../platform/connect";
import { examined, type OperationName } from "./catalogue";
import type { Cleanup } from "./cleanup";
import { Findings } from "./findings";
import { type Answer, answerShape, type Json } from "./forms";
import type { Targets } from "./targets";

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

/** Facts that one probe finds and another needs. */
export interface Facts {
  account?: { readonly id: string; readonly name: string | undefined };
  /** Ids of complete entries of get_users. */
  users: { readonly id: string; readonly email: string }[];
  tables: string[];
  /** A command as the history shows it: one that is done, or else has ended, or else any. */
  command?: Json | undefined;
  groups: { readonly id: string; readonly name: string; readonly source: string | undefined }[];
  roles: { readonly id: string; readonly name: string; readonly source: string | undefined }[];
  dataStore?: string | undefined;
  environment?: string | undefined;
}

export interface SessionOptions {
  readonly client: Client;
  readonly targets: Targets;
  /** Undefined in reading mode: then nothing but GET is sent. */
  readonly cleanup: Cleanup | undefined;
  /** Distinguishes what this run creates. */
  readonly mark: string;
  /** How long commands are waited for. */
  readonly waitSeconds: number;
  /** Between two looks at something that may take a while. */
  readonly pauseMs: number;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** One examination of one platform. */
export class Session {
  readonly findings = new Findings();
  readonly facts: Facts = { users: [], tables: [], groups: [], roles: [] };
  readonly options: SessionOptions;
  /** Whether refusals have a status of their own; undefined until one was seen. */
  refusalsHaveStatus: boolean | undefined;
  /** What the log of a command was before the command started. */
  earlyLog: "404" | "empty" | undefined;
  /** Whether policies of environments can be set, which the specification does not say; undefined if not tried. */
  environmentPolicies: boolean | undefined;
  /** Whether the specified operation takes the description of an address, which the specification does not have; undefined if not tried. */
  takesDescriptions: boolean | undefined;
  /** Our own addresses that were listed. */
  readonly seen = new Set<string>();
  /** Our own commands that have ended. */
  readonly ended = new Set<string>();

  constructor(options: SessionOptions) {
    this.options = options;
  }

  get targets(): Targets {
    return this.options.targets;
  }

  /** Only for probes that write. */
  get cleanup(): Cleanup {
    if (!this.options.cleanup)
      throw new Error("a reading examination creates nothing, so there is nothing to clean up");
    return this.options.cleanup;
  }

  /** Sends one request and reads the answer as it is. */
  async ask(name: OperationName, ask: Ask = {}, client = this.options.client): Promise<Answer> {
    const { operation } = examined[name];
    // The one place that sends: reading mode cannot change anything, whatever a probe does.
    if (operation.method !== "GET" && !this.options.cleanup)
      throw new Error(`${operation.method} ${operation.path} would write; that needs --write`);
    this.findings.tried(name);
    const { isText, ...call } = ask;
    const raw = await client.exchange(operation, call as never).catch((error: unknown) => {
      if (isPlatformError(error) && error.code !== "cancelled")
        this.findings.deviates(name, `no answer: ${error.code}`, { provider: "needs this" });
      throw error;
    });
    const answer = { ...raw, json: parsed(raw.text), error: refusalIn(name, raw, isText ?? false) };
    this.options.onExchange?.({ name, ask, answer });
    if (!answer.error) this.findings.there(name);
    return answer;
  }

  /** Sends a request that should succeed; otherwise records why it did not, and returns undefined. */
  async expect(name: OperationName, ask: Ask = {}): Promise<Answer | undefined> {
    const answer = await this.ask(name, ask);
    if (!answer.error) {
      if (!ask.isText) this.#checkBody(name, answer);
      return answer;
    }
    this.failed(name, answer.error);
    return undefined;
  }

  /** Records a refusal of something that should be possible. */
  failed(name: OperationName, error: PlatformError): void {
    const { operation, isExtended } = examined[name];
    const { groups, role } = operation.permission;
    if (error.code === "forbidden") {
      const needed = `needs ${groups}, or a role that allows ${role}`;
      this.findings.without(name, "not-allowed", `the token may not ${operation.does}: ${needed}`);
    } else if (isExtended && (isAbsence(error) || isLacking(operation, error))) {
      this.findings.without(name, "lacking", `this installation does not have it (${statusText(error)})`);
    } else this.findings.deviates(name, `refused (${statusText(error)})`, { provider: "needs this" });
  }

  notTried(why: string, ...names: readonly OperationName[]): void {
    for (const name of names) this.findings.without(name, "not-tried", `not tried: ${why}`);
  }

  /** Whether the provider's own function can read this platform. */
  async providerReads(name: OperationName, call: string, inputs: Record<string, unknown> = {}): Promise<void> {
    try {
      await new Reader(this.options.client).run(call, inputs);
      this.findings.providerReads(name, true);
    } catch (error) {
      if (isPlatformError(error, "cancelled")) throw error;
      // The platform is as it should be; another token could read it.
      if (isPlatformError(error, "forbidden")) return;
      this.findings.providerReads(name, false);
      const why = isPlatformError(error) ? error.code : "an error";
      this.findings.deviates(name, `the provider's ${call} fails: ${why}`, { provider: "needs this" });
    }
  }

  /** Records the form of an answer. One that the emulator does not have stays open; `what` says what is noted of it. */
  form<N extends ReadingName>(
    name: OperationName,
    reading: N,
    form: Readings[N] | undefined,
    { answer, what }: { readonly answer: Answer; readonly what?: string },
  ): void {
    this.findings.reading(name, reading, form);
    if (form !== undefined) return;
    if (what !== undefined) this.findings.note(name, `${what} is ${answerShape(answer)}`);
    this.findings.leaveOpen(reading, `another form: ${answerShape(answer)}`);
  }

  pause(): Promise<void> {
    return this.options.client.pause(this.options.pauseMs);
  }

  #checkBody(name: OperationName, { json, text, contentType, status }: Answer): void {
    if (text.trim() === "" || status === 204) return;
    if (json === undefined) this.findings.deviates(name, "the answer is not JSON", { section: "1" });
    else if (!/^application\/(\S+\+)?json\b/i.test(contentType ?? ""))
      this.findings.deviates(name, `the Content-Type of the answer is ${typeText(contentType)}, not application/json`, {
        section: "1",
        provider: "copes",
      });
    if (status !== 200) this.findings.note(name, `succeeds with HTTP ${status}`);
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

/** The number alone: the platform's words may repeat what was sent. */
export function statusText({ status, code }: PlatformError): string {
  return status ? `HTTP ${status}` : code;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
