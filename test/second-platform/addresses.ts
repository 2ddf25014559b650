import { isIP } from "node:net";

interface Address {
  /** In the shortest spelling, in small letters. */
  text: string;
  bits: 32 | 128;
  /** Prefix length when one was given. */
  prefix: number | undefined;
}

export function parseAddress(text: string): Address | undefined {
  const [address = "", prefixText, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits)) return undefined;
  const prefix = prefixText === undefined ? undefined : Number(prefixText);
  return { text: version === 4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1), bits, prefix };
}

/** All eight groups of an IPv6 address, with four digits each. */
function expanded(text: string): string {
  const [head = "", tail] = text.split("::");
  const [left, right] = [head, tail].map((part) => (part ? part.split(":") : [])) as [string[], string[]];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return groups.map((group) => group.padStart(4, "0")).join(":");
}

export interface Spelling {
  expanded?: boolean;
  /** Adds /32 or /128 to a single address. */
  prefix?: boolean;
}

export function formatAddress({ text, bits, prefix }: Address, spelling: Spelling = {}): string {
  const written = spelling.expanded && bits === 128 ? expanded(text) : text;
  const length = prefix ?? (spelling.prefix ? bits : undefined);
  return length === undefined ? written : `${written}/${length}`;
}

/** One text for all spellings of an address; a single address equals its /32 or /128. */
export function canonical(text: string): string {
  const address = parseAddress(text.trim());
  return address ? formatAddress(address, { expanded: true, prefix: true }) : text;
}
