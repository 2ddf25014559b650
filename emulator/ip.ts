import { isIPv4, isIPv6 } from "node:net";
import type { Readings } from "./readings";

/**
 * The canonical spelling of an address or range (`::1` for `0:0:0:0:0:0:0:1`; the address for a single-address range),
 * or undefined if it is neither.
 */
export function normaliseAddress(text: string): string | undefined {
  const [address = "", suffix, ...rest] = text.split("/");
  if (rest.length > 0 || address.includes("%")) return undefined;
  const bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : undefined;
  if (bits === undefined) return undefined;
  if (suffix !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(suffix) || Number(suffix) > bits)) return undefined;
  const canonical = bits === 32 ? address : new URL(`http://[${address}]/`).hostname.slice(1, -1);
  return suffix === undefined || Number(suffix) === bits ? canonical : `${canonical}/${suffix}`;
}

/** An address in the spelling that the reading prescribes for lists. */
export function spell(text: string, form: Readings["whitelistSpelling"]): string {
  const canonical = form === "as-given" ? undefined : normaliseAddress(text);
  if (canonical === undefined) return text;
  const [address = "", suffix] = canonical.split("/");
  switch (form) {
    case "with-prefix":
      return `${address}/${suffix ?? (isIPv4(address) ? 32 : 128)}`;
    case "expanded":
      return [isIPv4(address) ? address : expand(address), suffix].filter((part) => part !== undefined).join("/");
    default:
      return canonical;
  }
}

/** Expands an address such as `2001:db8::1` to eight groups of four digits. */
function expand(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = (part: string | undefined) => (part ? part.split(":") : []);
  const zeros = 8 - groups(head).length - groups(tail).length;
  return [...groups(head), ...Array(tail === undefined ? 0 : zeros).fill("0"), ...groups(tail)]
    .map((group) => group.padStart(4, "0"))
    .join(":");
}
