import { invalid } from "./answers";
import type { Switches } from "./switches";

/** Reads a request's parameters by the rules for types, nulls and unknown names. */
export class Parameters {
  constructor(
    private readonly switches: Switches,
    private readonly source: Readonly<Record<string, unknown>>,
  ) {}

  /** Declares the names that the operation knows; others may be rejected. */
  only(...names: string[]): this {
    if (this.switches.unknownParameters === "refused")
      for (const name of Object.keys(this.source))
        if (!names.includes(name)) throw invalid(`unknown parameter ${name}`);
    return this;
  }

  raw(name: string): unknown {
    const value = this.source[name];
    if (value === null) {
      if (this.switches.nullParameters === "refused" && name !== "catalog_name")
        throw invalid(`${name} must not be null`);
      return undefined;
    }
    if (value === "" && this.switches.emptyTexts === "refused") throw invalid(`${name} must not be empty`);
    return value;
  }

  text(name: string): string | undefined {
    return this.typed(name, "a string", (value) => (typeof value === "string" ? value : undefined));
  }

  integer(name: string): number | undefined {
    return this.typed(name, "an integer", (value) =>
      typeof value === "number" && Number.isInteger(value) ? value : undefined,
    );
  }

  flag(name: string): boolean | undefined {
    return this.typed(name, "a boolean", (value) => (typeof value === "boolean" ? value : undefined));
  }

  list(name: string): unknown[] | undefined {
    return this.typed(name, "an array", (value) => (Array.isArray(value) ? value : undefined));
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!(allowed as readonly string[]).includes(value)) throw invalid(`${name} must be one of ${allowed.join(", ")}`);
    return value as T;
  }

  within(name: string, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const value = this.integer(name);
    if (value !== undefined && (value < least || value > most))
      throw invalid(`${name} must be between ${least} and ${most}`);
    return value;
  }

  /** Parameters that the request cannot do without. */
  needs(...names: string[]): this {
    for (const name of names) if (this.raw(name) === undefined) throw invalid(`${name} is required`);
    return this;
  }

  /** Parameters no table marks as mandatory: needed only under the stricter readings. */
  mayNeed(obvious: readonly string[], all: readonly string[] = []): this {
    if (this.switches.mandatory === "the obvious ones") this.needs(...obvious);
    if (this.switches.mandatory === "all but those with a default") this.needs(...obvious, ...all);
    return this;
  }

  private typed<T>(name: string, what: string, read: (value: unknown) => T | undefined): T | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    const result = read(value);
    if (result === undefined) throw invalid(`${name} must be ${what}`);
    return result;
  }
}
