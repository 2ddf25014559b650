import type { Id } from "../values/id";

/** Something that has two names: a role its id and its name, a user the id and the e-mail address. */
export interface Named {
  readonly id?: Id | undefined;
  readonly name?: string | undefined;
}

/** What the platform has of a kind, to tell that an id and a name mean the same thing. */
export class Directory {
  readonly #known: readonly Named[];
  readonly #fold: (name: string) => string;

  /** `fold`: the form in which names are compared. */
  constructor(known: readonly Named[], fold: (name: string) => string = (name) => name) {
    this.#known = known;
    this.#fold = fold;
  }

  /** Knows these too, if it does not know them yet. */
  and(more: readonly Named[]): Directory {
    return new Directory([...this.#known, ...more], this.#fold);
  }

  /** How the program would best spell it. */
  spell(one: Named): string {
    return spelled(this.#completed(one));
  }

  /** What an id or a name in the program means. */
  of(reference: Id): Named {
    const found = this.#find(reference);
    if (found) return found;
    return isNumeric(reference) ? { id: reference } : { name: String(reference) };
  }

  knows(reference: Id): boolean {
    return this.#find(reference) !== undefined;
  }

  isSame(a: Named, b: Named): boolean {
    const [one, other] = [this.#completed(a), this.#completed(b)];
    // Names first: a user has two ids, and platforms differ in which of them they show.
    if (one.name !== undefined && other.name !== undefined) return this.#fold(one.name) === this.#fold(other.name);
    return one.id !== undefined && other.id !== undefined && String(one.id) === String(other.id);
  }

  /** Whether one of the ids and names in the program means it. */
  includes(references: readonly Id[], one: Named): boolean {
    return references.some((reference) => this.isSame(this.of(reference), one));
  }

  /** Compares what the program lists with what there is. */
  compare(wanted: readonly Id[], actual: readonly Named[]): Comparison {
    const isThere = (reference: Id) => actual.some((one) => this.isSame(this.of(reference), one));
    const missing = wanted.filter((reference) => !isThere(reference));
    return {
      present: wanted.filter(isThere),
      missing,
      others: actual.filter((one) => !this.includes(wanted, one)).map((one) => this.#completed(one)),
      isSure: missing.every((reference) => this.#canTell(this.of(reference), actual)),
    };
  }

  #find(reference: Id): Named | undefined {
    return (
      this.#known.find(({ id }) => id !== undefined && String(id) === String(reference)) ??
      this.#known.find(({ name }) => name !== undefined && this.#fold(name) === this.#fold(String(reference)))
    );
  }

  #completed(one: Named): Named {
    if (one.id !== undefined && one.name !== undefined) return one;
    const reference = one.id ?? one.name;
    return { ...(reference === undefined ? {} : this.#find(reference)), ...one };
  }

  /** An e-mail address cannot be compared with ids of users that nothing shows the addresses of. */
  #canTell({ id, name }: Named, actual: readonly Named[]): boolean {
    const all = actual.map((one) => this.#completed(one));
    return (
      (id !== undefined && all.every((one) => one.id !== undefined)) ||
      (name !== undefined && all.every((one) => one.name !== undefined))
    );
  }
}

export interface Comparison {
  /** In the program's spelling. */
  readonly present: readonly Id[];
  readonly missing: readonly Id[];
  /** What the program does not list. */
  readonly others: readonly Named[];
  /** False if something counts as missing only because an id could not be compared with a name. */
  readonly isSure: boolean;
}

export function isNumeric(reference: Id): boolean {
  return /^\d+$/.test(String(reference));
}

/** How the program would best spell it. */
export function spelled({ id, name }: Named): string {
  return name ?? String(id ?? "");
}

/** Every spelling of it. */
export function spellings({ id, name }: Named): string[] {
  return [...(id === undefined ? [] : [String(id)]), ...(name === undefined ? [] : [name])];
}
