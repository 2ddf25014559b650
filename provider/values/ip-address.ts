import { isIP } from "node:net";
import { z } from "zod";
import { hostBitsAdvice, isEveryone } from "./ip-range";
import { judgedBy } from "./problem";

export { isEveryone, normaliseIp, sameIp } from "./ip-range";

const expected = 'an IPv4 or IPv6 address such as "203.0.113.7" or "2001:db8::7", or a range such as "203.0.113.0/24"';

/** An address or a range. Keeps the user's spelling; compare with `sameIp` or `normaliseIp`. */
export const ipAddress = z.string().check(judgedBy(problemWith, expected));

function problemWith(text: string): string | undefined {
  const quoted = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  if (text === "") return "is empty";
  if (text !== text.trim()) return `${quoted} has leading or trailing spaces`;
  if (text.includes(",")) return `${quoted} is a list; declare each address separately`;
  if (text.includes("%")) return `${quoted} has a zone, which is only valid on one machine`;
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return `${quoted} is not an IP address`;
  if (prefix === undefined) return undefined;
  const longest = version === 4 ? 32 : 128;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > longest)
    return `${quoted} has a prefix length outside 0 to ${longest}`;
  return undefined;
}

/** What may be a mistake. */
export function adviceOnAddress(text: string): string[] {
  if (isEveryone(text)) return [`${text} allows every address, which makes the whitelist meaningless`];
  return hostBitsAdvice(text);
}
