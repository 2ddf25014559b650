import { isIP } from "node:net";

interface Address {
  version: 4 | 6;
  value: bigint;
  /** Prefix length when one was given. */
  prefix: number | undefined;
}

function value4(text: string): bigint {
  return text.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

function value6(text: string): bigint {
  // A dotted tail stands for the last two groups.
  const plain = text.replace(/\d+\.\d+\.\d+\.\d+$/, (tail) => {
    const value = value4(tail);
    return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
  });
  const [head = "", tail] = plain.split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right];
  return groups.reduce((sum, group) => (sum << 16n) + BigInt(`0x${group}`), 0n);
}

export function parseAddress(text: string): Address | undefined {
  const [address = "", prefixText, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefixText !== undefined && (!/^\d{1,3}$/.test(prefixText) || Number(prefixText) > bits)) return undefined;
  return {
    version: version as 4 | 6,
    value: version === 4 ? value4(address) : value6(address),
    prefix: prefixText === undefined ? undefined : Number(prefixText),
  };
}

export function clearHostBits(address: Address): Address {
  if (address.prefix === undefined) return address;
  const host = BigInt((address.version === 4 ? 32 : 128) - address.prefix);
  return { ...address, value: (address.value >> host) << host };
}

function groupsOf(value: bigint): string[] {
  return Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
}

function compress(groups: string[]): string {
  const zeros = groups.map((group) => (group === "0" ? "0" : "x")).join("");
  const longest = [...zeros.matchAll(/0{2,}/g)].sort((a, b) => b[0].length - a[0].length)[0];
  if (!longest) return groups.join(":");
  const head = groups.slice(0, longest.index).join(":");
  const tail = groups.slice(longest.index + longest[0].length).join(":");
  return `${head}::${tail}`;
}

export interface Spelling {
  expanded?: boolean;
  /** Adds /32 or /128 to a single address. */
  prefix?: boolean;
}

export function formatAddress(address: Address, spelling: Spelling = {}): string {
  const bits = address.version === 4 ? 32 : 128;
  const prefix = address.prefix ?? (spelling.prefix ? bits : undefined);
  const groups = groupsOf(address.value);
  const text =
    address.version === 4
      ? [24n, 16n, 8n, 0n].map((shift) => (address.value >> shift) & 255n).join(".")
      : spelling.expanded
        ? groups.map((group) => group.padStart(4, "0")).join(":")
        : compress(groups);
  return prefix === undefined ? text : `${text}/${prefix}`;
}

/** One text for all spellings of an address; a single address equals its /32 or /128. */
export function canonical(text: string): string {
  const address = parseAddress(text.trim());
  return address ? formatAddress(address, { expanded: true, prefix: true }) : text;
}
