import { shortList } from "../terminal/plural";

/** What production does not show, and what the rehearsal assumed instead. */
export interface Assumption {
  /** What is not known, in words that follow "not shown:". */
  readonly what: string;
  readonly assumed: string;
}

/** Collects assumptions; those about things of one kind become one line. */
export class Assumptions {
  readonly #byText = new Map<string, { assumed: string; kind: string; names: Set<string> }>();

  /** `kind` with a "#" where the names of the things go: `the roles of group #`. */
  add(kind: string, assumed: string, name = ""): void {
    const key = `${kind}\n${assumed}`;
    const found = this.#byText.get(key) ?? { assumed, kind, names: new Set<string>() };
    found.names.add(name);
    this.#byText.set(key, found);
  }

  list(): Assumption[] {
    return [...this.#byText.values()].map(({ assumed, kind, names }) => ({
      what: kind.replace("#", shortList([...names])),
      assumed,
    }));
  }
}
