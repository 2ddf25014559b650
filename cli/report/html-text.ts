import { createHash } from "node:crypto";
import { printable } from "../terminal/style";

/** For a Content-Security-Policy that allows this style or script alone. */
export function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Untrusted text, for the content of an element or a quoted attribute. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return printable(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
