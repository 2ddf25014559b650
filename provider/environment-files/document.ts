import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import { withoutNulls } from "../core/properties";

type Key = string | number;

/** Something that is wrong, and where: the path of a value, or how far into the file. */
export interface Mistake {
  readonly at: readonly Key[] | number;
  readonly text: string;
}

/** A YAML file that tells where each of its values stands. */
export class YamlFile {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  /** Absent if it cannot be read. Keys without a value count as absent. */
  readonly value: unknown;
  /** Syntax errors and repeated keys. */
  readonly errors: readonly Mistake[];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, merge: true, prettyErrors: false });
    const found = this.#document.errors.map(({ code, message, pos: [at] }) => ({
      at,
      text: code === repeatedKey ? repeated(text.slice(at)) : message.split("\n", 1)[0]!,
    }));
    this.errors = found;
    // Of a repeated key the last value counts, so the rest can be checked.
    if (this.#document.errors.some(({ code }) => code !== repeatedKey)) return;
    try {
      this.value = withoutNulls(this.#document.toJS() as unknown);
    } catch (error) {
      this.errors = [...found, { at: 0, text: (error as Error).message }];
    }
  }

  /** Whether it is `{}`: someone says that there is nothing. */
  get isEmptyMap(): boolean {
    const { contents } = this.#document;
    return isMap(contents) && contents.items.length === 0;
  }

  /** `file:line:column`. */
  place(at: Mistake["at"]): string {
    const { line, col } = this.#lines.linePos(this.#offsetOf(at));
    return `${this.#file}:${line}:${col}`;
  }

  /** One line for each mistake, in the order of the file. */
  linesOf(mistakes: readonly Mistake[]): string[] {
    const sorted = [...mistakes].sort((a, b) => this.#offsetOf(a.at) - this.#offsetOf(b.at));
    return sorted.map(({ at, text }) => `${this.place(at)}: ${text}`);
  }

  /** Where the value at a path stands, or what is nearest to it. */
  #offsetOf(at: Mistake["at"]): number {
    if (typeof at === "number") return at;
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const key of at) {
      const found = this.#inside(node, key);
      if (!found) break;
      offset = found.start.range?.[0] ?? offset;
      node = found.value;
    }
    return offset;
  }

  #inside(node: unknown, key: Key): { readonly start: Node; readonly value: unknown } | undefined {
    const target = isAlias(node) ? node.resolve(this.#document) : node;
    if (isSeq(target)) {
      const item = target.items[Number(key)] as Node | undefined;
      return item && { start: item, value: item };
    }
    if (!isMap(target)) return undefined;
    // Of a repeated key, the last one counts.
    const pair = target.items.findLast((one) => isScalar(one.key) && String(one.key.value) === String(key));
    return pair && { start: pair.key as Node, value: pair.value };
  }
}

const repeatedKey = "DUPLICATE_KEY";

function repeated(source: string): string {
  const [name] = /^[^\s:]+/.exec(source) ?? ["a key"];
  return `${name} is there twice; merge the two into one`;
}

/** `policy[0].action` as its parts. */
export function pathOf(property: string): Key[] {
  return property
    .split(/[.[\]]+/)
    .filter((part) => part !== "")
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
