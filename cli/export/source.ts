import { printable } from "../terminal/style";

const widest = 118;

/** A value as TypeScript writes it: on one line where it fits with what stands beside it, else one part per line. */
export function source(value: unknown, indent = "", beside = 0): string {
  const flat = onOneLine(value);
  if (indent.length + beside + flat.length <= widest) return flat;
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
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return literal(value);
  const entries = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${onOneLine(item)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function keyText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** What cannot be seen in an editor, or turns the direction of the text, is escaped. */
function literal(value: unknown): string {
  return printable(JSON.stringify(value) ?? "undefined");
}
