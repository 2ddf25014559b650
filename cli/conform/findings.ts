import { type ReadingName, type Readings, readingNames } from "../../emulator/readings";
import { examined, type OperationName, operationNames } from "./catalogue";

/** `there`: an extended operation that the installation has, and that answers as far as its answer is known. */
export type Verdict = "as-specified" | "there" | "deviates" | "lacking" | "not-allowed" | "not-tried";

export interface Deviation {
  readonly what: string;
  /** Section of the specification that says otherwise. */
  readonly section: string;
  readonly provider: "copes" | "needs this";
}

/** What was found out about one operation. Contains no secret, and no text of the platform. */
export interface OperationReport {
  readonly name: OperationName;
  /** Such as `GET /api/v1.2/account/`. */
  readonly request: string;
  readonly does: string;
  readonly section: string;
  readonly extended: boolean;
  readonly verdict: Verdict;
  readonly deviations: readonly Deviation[];
  readonly readings: Readonly<Record<string, string | number>>;
  readonly notes: readonly string[];
}

class Row {
  isTried = false;
  /** The operation was carried out, so the installation has it. */
  isThere = false;
  /** Why it was not tried, is lacking or not allowed. */
  without?: { readonly verdict: "lacking" | "not-allowed" | "not-tried"; readonly why: string };
  /** Undefined: the provider was not asked to read this answer. */
  providerWorks?: boolean;
  readonly deviations = new Map<string, { readonly section: string; readonly provider?: Deviation["provider"] }>();
  readonly readings: Record<string, string | number> = {};
  readonly notes = new Set<string>();
}

const unreached = "not tried: an operation that it needs is lacking, or there is nothing to try it on";

/** Collects what the probes find, operation by operation. */
export class Findings {
  readonly #rows = new Map(operationNames.map((name) => [name, new Row()]));
  readonly #readings = new Map<ReadingName, string | number>();
  readonly #open = new Map<ReadingName, string>();

  #row(name: OperationName): Row {
    return this.#rows.get(name)!;
  }

  /** `isThere`: it was carried out. */
  tried(name: OperationName, { isThere }: { readonly isThere: boolean }): void {
    const row = this.#row(name);
    row.isTried = true;
    row.isThere ||= isThere;
  }

  /** It answered with success, but not with what the operation answers. */
  notThere(name: OperationName, why: string): void {
    this.#row(name).isThere = false;
    this.without(name, "lacking", why);
  }

  has(name: OperationName): boolean {
    return this.#row(name).isThere;
  }

  isLacking(name: OperationName): boolean {
    return this.#row(name).without?.verdict === "lacking" && !this.has(name);
  }

  /** The first reason counts, because a later one follows from it; but an answer says more than none. */
  without(name: OperationName, verdict: NonNullable<Row["without"]>["verdict"], why: string): void {
    const row = this.#row(name);
    if (!row.without || (row.without.verdict === "not-tried" && verdict !== "not-tried"))
      row.without = { verdict, why };
  }

  notTried(why: string, ...names: readonly OperationName[]): void {
    for (const name of names) this.without(name, "not-tried", `not tried: ${why}`);
  }

  /** `provider`: left out, whether the provider can read the operation's answers decides. */
  deviates(
    name: OperationName,
    what: string,
    provider?: Deviation["provider"],
    section: string = examined[name].section,
  ): void {
    const { deviations } = this.#row(name);
    if (!deviations.has(what)) deviations.set(what, { section, ...(provider && { provider }) });
  }

  providerWorks(name: OperationName, works: boolean): void {
    this.#row(name).providerWorks = works;
  }

  note(name: OperationName, text: string): void {
    this.#row(name).notes.add(text);
  }

  /**
   * The first finding counts. A different later one is noted: the platform answers in more than one way. `whyOpen`: what
   * it means that there is no value.
   */
  reading<N extends ReadingName>(
    name: OperationName,
    reading: N,
    value: Readings[N] | undefined,
    whyOpen?: string,
  ): void {
    const known = this.#readings.get(reading);
    if (value === undefined) {
      if (whyOpen !== undefined) this.leaveOpen(reading, whyOpen);
    } else if (known === undefined || known === value) {
      this.#readings.set(reading, value);
      this.#row(name).readings[reading] = value;
    } else this.note(name, `${reading} is ${String(value)} here, but ${String(known)} elsewhere`);
  }

  valueOf<N extends ReadingName>(reading: N): Readings[N] | undefined {
    return this.#readings.get(reading) as Readings[N] | undefined;
  }

  /** Why a reading could not be determined; what is determined after all wins. */
  leaveOpen(reading: ReadingName, why: string): void {
    if (!this.#open.has(reading)) this.#open.set(reading, why);
  }

  readings(): Partial<Readings> {
    const found = readingNames.filter((name) => this.#readings.has(name));
    return Object.fromEntries(found.map((name) => [name, this.#readings.get(name)]));
  }

  /** Every reading that was not determined, and why. */
  openReadings(usualReason: (name: ReadingName) => string): Readonly<Record<string, string>> {
    const names = readingNames.filter((name) => !this.#readings.has(name));
    return Object.fromEntries(names.map((name) => [name, this.#open.get(name) ?? usualReason(name)]));
  }

  operations(): OperationReport[] {
    return operationNames.map((name) => {
      const { operation, section, isExtended } = examined[name];
      const row = this.#row(name);
      const verdict = verdictOf(row, isExtended);
      const reason = verdict === row.without?.verdict ? row.without.why : verdict === "not-tried" && unreached;
      const usual = row.providerWorks === false ? "needs this" : "copes";
      return {
        name,
        request: `${operation.method} ${operation.path}`,
        does: operation.does,
        section,
        extended: isExtended,
        verdict,
        deviations: [...row.deviations].map(([what, { section: says, provider = usual }]) => ({
          what,
          section: says,
          provider,
        })),
        readings: row.readings,
        notes: [...(reason ? [reason] : []), ...row.notes],
      };
    });
  }
}

function verdictOf({ deviations, without, isTried, isThere }: Row, isExtended: boolean): Verdict {
  if (deviations.size > 0) return "deviates";
  if (without && !isThere) return without.verdict;
  if (!isTried || (isExtended && !isThere)) return "not-tried";
  return isExtended ? "there" : "as-specified";
}
