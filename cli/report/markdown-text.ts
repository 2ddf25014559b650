import { printable } from "../terminal/style";

/** Size limit of a pull-request comment. Measured in bytes, which are never fewer than characters. */
export const longestComment = 65_536;
export const longestLine = 400;

/** Untrusted text verbatim: a code span disables markup and @mentions. */
export function code(text: string): string {
  const plain = clip(printable(text), longestLine) || " ";
  const fence = "`".repeat(longestRun(plain) + 1);
  const pad = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

/** Untrusted text between our own, such as the name of an account in a headline. */
export function escaped(text: string): string {
  return printable(text).replace(/[\\`*_[\]<>&@#|~]/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

export function clip(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}

export function bytes(text: string): number {
  return Buffer.byteLength(text);
}
