import { catalogue, type ReadingName, type Readings } from "../../emulator/readings";
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

interface Row {
  tried: boolean;
  /** Why it was not tried, is lacking or not allowed. */
  state?: { verdict: "lacking" | "not-allowed" | "not-tried"; why: string };
  /** Undefined: the provider was not asked to read this answer. */
  providerWorks?: boolean;
  deviations: { what: string; section: string; provider: Deviation["provider"] | undefined }[];
  readings: Record<string, string | number>;
  notes: string[];
}

const unreached = "not tried: an operation that it needs is lacking, or there is nothing to try it on";

/** Collects what the probes find, operation by operation. */
export class Findings {
  readonly #rows = new Map<OperationName, Row>();
  readonly #readings = new Map<ReadingName, string | number>();
  readonly #open = new Map<ReadingName, string>();
  readonly #extended = new Set<OperationName>();

  tried(name: OperationName): void {
    this.#row(name).tried = true;
  }

  /** The operation was carried out, so the installation has it. */
  there(name: OperationName): void {
    this.#extended.add(name);
  }

  /** It answered with success, but not with what the operation answers. */
  notThere(name: OperationName, why: string): void {
    this.#extended.delete(name);
    this.without(name, "lacking", why);
  }

  has(name: OperationName): boolean {
    return this.#extended.has(name);
  }

  isLacking(name: OperationName): boolean {
    return this.#rows.get(name)?.state?.verdict === "lacking" && !this.has(name);
  }

  /** The first reason counts, because a later one follows from it; but an answer says more than none. */
  without(name: OperationName, verdict: NonNullable<Row["state"]>["verdict"], why: string): void {
    const row = this.#row(name);
    if (!row.state || (row.state.verdict === "not-tried" && verdict !== "not-tried")) row.state = { verdict, why };
  }

  /** `provider`: left out, whether the provider can read the operation's answers decides. */
  deviates(
    name: OperationName,
    what: string,
    { section = examined[name].section, provider }: { section?: string; provider?: Deviation["provider"] } = {},
  ): void {
    const { deviations } = this.#row(name);
    if (!deviations.some((known) => known.what === what)) deviations.push({ what, section, provider });
  }

  providerReads(name: OperationName, works: boolean): void {
    this.#row(name).providerWorks = works;
  }

  note(name: OperationName, text: string): void {
    const { notes } = this.#row(name);
    if (!notes.includes(text)) notes.push(text);
  }

  /** The first finding counts. A different later one is noted: the platform answers in more than one way. */
  reading<N extends ReadingName>(name: OperationName, reading: N, value: Readings[N] | undefined): void {
    if (value === undefined) return;
    const known = this.#readings.get(reading);
    if (known === undefined || known === value) {
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
    const names = Object.keys(catalogue) as ReadingName[];
    const found = names.filter((name) => this.#readings.has(name));
    return Object.fromEntries(found.map((name) => [name, this.#readings.get(name)])) as Partial<Readings>;
  }

  /** Every reading that was not determined, and why. */
  open(usualReason: (name: ReadingName) => string): Readonly<Record<string, string>> {
    const names = (Object.keys(catalogue) as ReadingName[]).filter((name) => !this.#readings.has(name));
    return Object.fromEntries(names.map((name) => [name, this.#open.get(name) ?? usualReason(name)]));
  }

  report(): OperationReport[] {
    return operationNames.map((name) => this.#reportOf(name));
  }

  #row(name: OperationName): Row {
    let row = this.#rows.get(name);
    if (!row) {
      row = { tried: false, deviations: [], readings: {}, notes: [] };
      this.#rows.set(name, row);
    }
    return row;
  }

  #reportOf(name: OperationName): OperationReport {
    const { operation, section, isExtended } = examined[name];
    const row = this.#row(name);
    const verdict = this.#verdictOf(name, row, isExtended);
    const reason = verdict === row.state?.verdict ? row.state.why : verdict === "not-tried" ? unreached : undefined;
    return {
      name,
      request: `${operation.method} ${operation.path}`,
      does: operation.does,
      section,
      extended: isExtended,
      verdict,
      deviations: row.deviations.map((each) => ({
        ...each,
        provider: each.provider ?? (row.providerWorks === false ? "needs this" : "copes"),
      })),
      readings: row.readings,
      notes: [...(reason === undefined ? [] : [reason]), ...row.notes],
    };
  }

  #verdictOf(name: OperationName, row: Row, isExtended: boolean): Verdict {
    if (row.deviations.length > 0) return "deviates";
    const carriedOut = this.has(name);
    if (row.state && !carriedOut) return row.state.verdict;
    if (!row.tried || (isExtended && !carriedOut)) return "not-tried";
    return isExtended ? "there" : "as-specified";
  }
}
