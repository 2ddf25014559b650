import { printable } from "../terminal/style";

/** A secret of the stack's configuration. */
export class Secret {
  constructor(
    readonly key: string,
    /** The program fails without it. */
    readonly isRequired: boolean,
  ) {}
}

/** How a language writes values. */
export interface Syntax {
  readonly width: number;
  readonly indent: string;
  /** Begins a comment. */
  readonly mark: string;
  /** Inside of braces. */
  readonly space: string;
  readonly key: (key: string) => string;
  /** Escapes invisible and text-direction characters. */
  readonly literal: (value: unknown) => string;
  readonly secret: (secret: Secret) => string;
}

const literal = (value: unknown) => printable(JSON.stringify(value) ?? "undefined");

const typescript: Syntax = {
  width: 118,
  indent: "  ",
  mark: "//",
  space: " ",
  key: (key) => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key)),
  literal,
  secret: ({ key, isRequired }) => `config.${isRequired ? "require" : "get"}Secret(${JSON.stringify(key)})`,
};

/** Named after what users call it. */
const shortNames: Readonly<Record<string, string>> = { dbPasswd: "password" };

/** A secret of the stack's configuration, for an input that the API never shows. */
export function secretOf(resource: string, property: string, how: "get" | "require"): Secret {
  const words = shortNames[property] ?? property.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  return new Secret(`${resource}-${words}`, how === "require");
}

/** A value as source: on one line if it fits next to `otherLength` other characters, else one part per line. */
export function source(value: unknown, indent = "", otherLength = 0, syntax = typescript): string {
  const flat = onOneLine(value, syntax);
  if (indent.length + otherLength + flat.length <= syntax.width) return flat;
  if (value instanceof Secret) return flat;
  const inner = `${indent}${syntax.indent}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${source(item, inner, 1, syntax)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]) => `${inner}${syntax.key(key)}: ${source(item, inner, key.length + 3, syntax)},\n`,
    );
    return `{\n${entries.join("")}${indent}}`;
  }
  return flat;
}

function onOneLine(value: unknown, syntax: Syntax): string {
  if (value instanceof Secret) return syntax.secret(value);
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, syntax)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return syntax.literal(value);
  const entries = Object.entries(value).map(([key, item]) => `${syntax.key(key)}: ${onOneLine(item, syntax)}`);
  return entries.length === 0 ? "{}" : `{${syntax.space}${entries.join(", ")}${syntax.space}}`;
}

/** Wraps the text into comment lines. */
export function comment(text: string, indent = "", { mark, width } = typescript): string {
  const lines: string[] = [];
  const start = `${indent}${mark}`;
  let line = start;
  for (const word of printable(text).split(" ")) {
    if (line.length + word.length >= width) {
      lines.push(line);
      line = start;
    }
    line += ` ${word}`;
  }
  return `${[...lines, line].join("\n")}\n`;
}
