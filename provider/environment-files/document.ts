import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";

type Key = string | number;

/** A YAML file that tells where each of its values stands. */
export class YamlFile {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, merge: true, prettyErrors: false });
  }

  /** Syntax errors and repeated keys. */
  get errors(): string[] {
    return this.#document.errors.map(({ message, pos }) => `${this.#at(pos[0])}: ${message.split("\n", 1)[0]}`);
  }

  /** Keys without a value count as absent. */
  get value(): unknown {
    return withoutNulls(this.#document.toJS());
  }

  /** `file:line:column` of the value at a path, or of what is nearest to it. */
  placeOf(path: readonly Key[]): string {
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const key of path) {
      const found = this.#inside(node, key);
      if (!found) break;
      offset = found.start.range?.[0] ?? offset;
      node = found.value;
    }
    return this.#at(offset);
  }

  #inside(node: unknown, key: Key): { readonly start: Node; readonly value: unknown } | undefined {
    const target = isAlias(node) ? node.resolve(this.#document) : node;
    if (isSeq(target)) {
      const item = target.items[Number(key)] as Node | undefined;
      return item && { start: item, value: item };
    }
    if (!isMap(target)) return undefined;
    const pair = target.items.find((one) => isScalar(one.key) && String(one.key.value) === String(key));
    return pair && { start: pair.key as Node, value: pair.value };
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file}:${line}:${col}`;
  }
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** `policy[0].action` as its parts. */
export function pathOf(property: string): Key[] {
  return property
    .split(/[.[\]]+/)
    .filter((part) => part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
