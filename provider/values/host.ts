import { isIP } from "node:net";
import { z } from "zod";
import { judgedBy } from "./problem";
import { within } from "./simple";

/** In any alphabet: the platform, or its resolver, decides which names it knows. */
const label = /^[\p{L}\p{M}\p{N}_]([\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u;

/** An IP address or a host name, without scheme, port or path. */
export const host = z.string().check(judgedBy(problemWith, 'an IP address or a host name such as "db.example.com"'));

function problemWith(text: string): string | undefined {
  if (text === "") return "is empty";
  if (isIP(text) !== 0) return undefined;
  const quoted = JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
  if (text.includes("://")) return `${quoted} has a scheme; remove it`;
  if (/:\d+$/.test(text)) return `${quoted} has a port; set the port separately`;
  const name = text.replace(/\.$/, "");
  return name.length <= 253 && name.split(".").every((part) => label.test(part)) && !/^[\d.]+$/.test(name)
    ? undefined
    : `${quoted} is not a host`;
}

/** A TCP port. */
export const port = within(1, 65_535, "a port from 1 to 65535");
