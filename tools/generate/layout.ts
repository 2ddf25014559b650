/** Code that stays on one line where that fits; else its outermost group is opened, one item per line. */
export type Code = string | Group | readonly Code[];

interface Group {
  readonly open: string;
  readonly items: readonly Item[];
  readonly close: string;
}

/** `key` ends with what separates it from the value. */
interface Item {
  readonly key?: string;
  readonly value: Code;
}

interface Style {
  readonly width: number;
  readonly indent: string;
  /** gofmt puts the values of neighbouring lines into one column. */
  readonly aligned?: boolean;
}

export function group(open: string, items: readonly Item[], close: string): Code {
  return { open, items, close };
}

export function layout(code: Code, style: Style, depth = 0, before = ""): string {
  if (typeof code === "string") return code;
  if (!("items" in code))
    return code.reduce((text: string, part) => text + layout(part, style, depth, before + text), "");
  const indent = style.indent.repeat(depth + 1);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const flat = onOneLine(code);
  if (column(line + flat) < style.width || code.items.length === 0) return flat;
  const items = code.items.map(({ key = "", value }) => ({ key, text: layout(value, style, depth + 1, indent + key) }));
  const lines = style.aligned ? align(items) : items.map(({ key, text }) => key + text);
  return `${code.open}\n${lines.map((text) => `${indent}${text},\n`).join("")}${style.indent.repeat(depth)}${code.close}`;
}

function onOneLine(code: Code): string {
  if (typeof code === "string") return code;
  if (!("items" in code)) return code.map(onOneLine).join("");
  return `${code.open}${code.items.map(({ key = "", value }) => key + onOneLine(value)).join(", ")}${code.close}`;
}

function column(line: string): number {
  return line.replaceAll("\t", "    ").length;
}

/** A value of several lines begins a new column. */
function align(items: readonly { key: string; text: string }[]): string[] {
  const runs: (typeof items)[number][][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last && ![item, last.at(-1)!].some(({ text }) => text.includes("\n"))) last.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) => {
    const width = Math.max(...run.map(({ key }) => key.length));
    return run.map(({ key, text }) => key.padEnd(width) + text);
  });
}
