import type { z } from "zod";
import { type ReadingName, type Readings, readingNames } from "../../emulator/readings";
import type { PlatformError } from "../../provider/api/errors";
import { isLacking } from "../../provider/api/meaning";
import { examined, type OperationName, operationNames } from "./catalogue";
import { type Found, statusText, valueIn } from "./forms";
import { problemsOf } from "./specified";

/** `there`: an extended operation that the installation has, and that answers as far as its answer is known. */
export type Verdict = "as-specified" | "there" | "deviates" | "lacking" | "not-allowed" | "not-tried";

type Provider = "copes" | "needs this";

/** Contains no secret, and no text of the platform. */
export type OperationReport = ReturnType<Op["report"]>;

const unreached = "not tried: an operation that it needs is lacking, or there is nothing to try it on";

/** An operation, and what was found out about it. */
export class Op {
  isTried = false;
  /** It was carried out, so the installation has it. */
  isThere = false;
  /** Undefined: the provider was not asked to read its answers. */
  providerWorks?: boolean;
  /** Whether it does what only the extended API says of it; undefined if that was not tried. */
  doesMore?: boolean;
  /** Why it was not tried, is lacking or not allowed. */
  #without?: { readonly verdict: "lacking" | "not-allowed" | "not-tried"; readonly why: string };
  readonly #deviations = new Map<string, { readonly section: string; readonly provider: Provider | undefined }>();
  readonly #readings: Record<string, string | number> = {};
  readonly #notes = new Set<string>();

  constructor(
    readonly name: OperationName,
    private readonly findings: Findings,
  ) {}

  get isLacking(): boolean {
    return this.#without?.verdict === "lacking" && !this.isThere;
  }

  /** The first reason counts, because a later one follows from it; but an answer says more than none. */
  without(verdict: "lacking" | "not-allowed" | "not-tried", why: string): void {
    if (!this.#without || (this.#without.verdict === "not-tried" && verdict !== "not-tried"))
      this.#without = { verdict, why };
  }

  /** It answered with success, but not with what the operation answers. */
  notThere(why: string): void {
    this.isThere = false;
    this.without("lacking", why);
  }

  /** Something that should be possible was refused. */
  failed(error: PlatformError): void {
    const { operation, isExtended } = examined[this.name];
    const { groups, role } = operation.permission;
    // Probes name things that exist, so "not found" means the operation itself; so does a page instead of an answer.
    const isAbsent = error.code === "not-found" || error.code === "bad-answer" || isLacking(operation, error);
    if (error.code === "forbidden")
      this.without(
        "not-allowed",
        `the token may not ${operation.does}: needs ${groups}, or a role that allows ${role}`,
      );
    else if (isExtended && isAbsent)
      this.without("lacking", `this installation does not have it (${statusText(error)})`);
    else this.deviates(`refused (${statusText(error)})`, "needs this");
  }

  /** `provider`: left out, whether the provider can read the operation's answers decides. */
  deviates(what: string, provider?: Provider, section: string = examined[this.name].section): void {
    if (!this.#deviations.has(what)) this.#deviations.set(what, { section, provider });
  }

  /** Notes where a value is not as the specification says: one deviation for each field, however often. */
  check(value: unknown, schema: z.ZodType, section?: string): void {
    for (const problem of problemsOf(value, schema)) this.deviates(problem, undefined, section);
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  /** The first finding counts; a different later one is noted. `whyOpen`: what it means that there is no value. */
  reading<N extends ReadingName>(reading: N, found: Found<N>, whyOpen?: string): void {
    const { values } = this.findings;
    const value = valueIn(found);
    const known = values.get(reading) ?? value;
    if (value === undefined) {
      if (whyOpen !== undefined) this.findings.leaveOpen(reading, whyOpen);
    } else if (known === value) {
      values.set(reading, value);
      this.#readings[reading] = value;
    } else this.note(`${reading} is ${String(value)} here, but ${String(known)} elsewhere`);
  }

  get verdict(): Verdict {
    const { isExtended } = examined[this.name];
    if (this.#deviations.size > 0) return "deviates";
    if (this.#without && !this.isThere) return this.#without.verdict;
    if (!this.isTried || (isExtended && !this.isThere)) return "not-tried";
    return isExtended ? "there" : "as-specified";
  }

  report() {
    const { operation, section, isExtended } = examined[this.name];
    const { verdict } = this;
    const reason = verdict === this.#without?.verdict ? this.#without.why : verdict === "not-tried" && unreached;
    const usual = this.providerWorks === false ? "needs this" : "copes";
    return {
      name: this.name,
      /** Such as `GET /api/v1.2/account/`. */
      request: `${operation.method} ${operation.path}`,
      does: operation.does,
      section,
      extended: isExtended,
      verdict,
      deviations: [...this.#deviations].map(([what, { section: says, provider = usual }]) => ({
        what,
        /** Section of the specification that says otherwise. */
        section: says,
        provider,
      })),
      readings: this.#readings,
      notes: [...(reason ? [reason] : []), ...this.#notes],
    } as const;
  }
}

/** Collects what the probes find, operation by operation. */
export class Findings {
  readonly #ops = new Map(operationNames.map((name) => [name, new Op(name, this)]));
  readonly values = new Map<ReadingName, string | number>();
  readonly #open = new Map<ReadingName, string>();

  op(name: OperationName): Op {
    return this.#ops.get(name)!;
  }

  notTried(why: string, ...names: readonly OperationName[]): void {
    for (const name of names) this.op(name).without("not-tried", `not tried: ${why}`);
  }

  valueOf<N extends ReadingName>(reading: N): Readings[N] | undefined {
    return this.values.get(reading) as Readings[N] | undefined;
  }

  /** Why a reading could not be determined; what is determined after all wins. */
  leaveOpen(reading: ReadingName, why: string): void {
    if (!this.#open.has(reading)) this.#open.set(reading, why);
  }

  readings(): Partial<Readings> {
    const found = readingNames.filter((name) => this.values.has(name));
    return Object.fromEntries(found.map((name) => [name, this.values.get(name)]));
  }

  /** Every reading that was not determined, and why. */
  openReadings(usualReason: (name: ReadingName) => string): Readonly<Record<string, string>> {
    const names = readingNames.filter((name) => !this.values.has(name));
    return Object.fromEntries(names.map((name) => [name, this.#open.get(name) ?? usualReason(name)]));
  }

  operations(): OperationReport[] {
    return operationNames.map((name) => this.op(name).report());
  }
}
