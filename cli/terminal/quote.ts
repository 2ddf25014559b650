import { printable } from "./style";

/** A word as a shell takes it. */
export function quoted(word: string): string {
  const text = printable(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
