import { printable } from "./style";

/** Quotes a word for a shell. */
export function quoted(word: string): string {
  const text = printable(word);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
