import { printable } from "../terminal/style";

/** Wraps the text into comment lines. */
export function comment(text: string, indent = ""): string {
  const lines: string[] = [];
  const start = `${indent}//`;
  let line = start;
  for (const word of printable(text).split(" ")) {
    if (line.length + word.length >= 118) {
      lines.push(line);
      line = start;
    }
    line += ` ${word}`;
  }
  return `${[...lines, line].join("\n")}\n`;
}
