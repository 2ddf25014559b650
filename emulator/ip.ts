import { isIPv4, isIPv6 } from "node:net";

/**
 * The same text for every spelling of an address or range (`::1` and `0:0:0:0:0:0:0:1`; a single-address range and
 * the address), or undefined when it is neither.
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
