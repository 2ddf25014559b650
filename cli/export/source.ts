import { printable } from "../terminal/style";

const maxWidth = 118;

/** An expression, such as a secret of the stack's configuration. */
export class Expression {
  constructor(
    readonly text: string,
    /** The key of the stack's configuration without which it fails. */
    readonly requires?: string,
  ) {}
}

/** Named after what users call it. */
const shortNames: Readonly<Record<string, string>> = { dbPasswd: "password" };

/** A secret of the stack's configuration, for an input that the API never shows. */
export function secretOf(resource: string, property: string, how: "get" | "require"): Expression {
  const words = shortNames[property] ?? property.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  const key = `${resource}-${words}`;
  return new Expression(`config.${how}Secret(${JSON.stringify(key)})`, how === "require" ? key : undefined);
}

/** A value as TypeScript source: on one line if it fits next to `otherLength` other characters, else one part per line. */
export function source(value: unknown, indent = "", otherLength = 0): string {
  const flat = onOneLine(value);
  if (indent.length + otherLength + flat.length <= maxWidth) return flat;
  if (value instanceof Expression) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${source(item, inner, 1)},\n`);
    return `[\n${items.join("")}${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]) => `${inner}${keyText(key)}: ${source(item, inner, key.length + 3)},\n`,
    );
    return `{\n${entries.join("")}${indent}}`;
  }
  return flat;
}

function onOneLine(value: unknown): string {
  if (value instanceof Expression) return value.text;
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return literal(value);
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${onOneLine(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** Escapes invisible and text-direction characters. */
function literal(value: unknown): string {
  return printable(JSON.stringify(value) ?? "undefined");
}

/** Wraps the text into comment lines. */
export function comment(text: string, indent = ""): string {
  const lines: string[] = [];
  const start = `${indent}//`;
  let line = start;
  for (const word of printable(text).split(" ")) {
    if (line.length + word.length >= maxWidth) {
      lines.push(line);
      line = start;
    }
    line += ` ${word}`;
  }
  return `${[...lines, line].join("\n")}\n`;
}
