import { isIP } from "node:net";

/** Addresses and ranges as text. Without zod, which the policy pack must not load. */

/** A unique spelling for each address: IPv6 compressed and in lower case, single-address ranges without the prefix. */
export function normaliseIp(text: string): string {
  const [address = "", prefix] = text.trim().split("/");
  const version = isIP(address);
  if (version === 0) return text.trim().toLowerCase();
  const single = prefix === undefined || Number(prefix) === bitsOf(version);
  if (single) return canonical(address);
  const length = Number(prefix);
  // A platform may list the range of 203.0.113.7/24 by its first address.
  const isPrefix = /^\d+$/.test(prefix ?? "") && length <= bitsOf(version) && !address.includes("%");
  return `${isPrefix ? networkOf(address, length) : canonical(address)}/${length}`;
}

export function sameIp(a: string, b: string): boolean {
  return normaliseIp(a) === normaliseIp(b);
}

/** Advice about a range that is written with an address inside it. */
export function hostBitsAdvice(text: string): string[] {
  const range = normaliseIp(text);
  const [given = "", network = ""] = [text, range].map((one) => one.split("/", 1)[0]!);
  return isIP(given) === 0 || !range.includes("/") || canonical(given) === network
    ? []
    : [`${text} has bits set beyond its prefix; the range is ${range}`];
}

/** Whether a range allows every address. */
export function isEveryone(text: string): boolean {
  return /\/0+$/.test(text);
}

/** Number of leading bits that all addresses of a range share: 32 for a single IPv4 address. Undefined for other text. */
function prefixOf(text: string): { readonly version: 4 | 6; readonly length: number } | undefined {
  const [address = "", prefix] = text.trim().split("/");
  const version = isIP(address);
  // Node takes an address with a zone for one; it means something on one machine only.
  if (version === 0 || address.includes("%")) return undefined;
  return { version: version as 4 | 6, length: prefix === undefined ? bitsOf(version) : Number(prefix) };
}

export interface Range {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** Addresses of IPv6 that mean those of IPv4: `::ffff:0:0/96`. */
const mapped = 0xffffn;

/** The first and the last address of a range, as numbers. Undefined for other text. */
export function rangeOf(text: string): Range | undefined {
  const { version, length } = prefixOf(text) ?? {};
  if (version === undefined || !(length! >= 0 && length! <= bitsOf(version))) return undefined;
  const size = 1n << BigInt(bitsOf(version) - length!);
  const address = toBits(text.trim().split("/", 1)[0]!, version);
  const first = address - (address % size);
  const last = first + size - 1n;
  const isMapped = version === 6 && first >> 32n === mapped && last >> 32n === mapped;
  return isMapped ? { version: 4, first: first & 0xffffffffn, last: last & 0xffffffffn } : { version, first, last };
}

/** Whether every address of the second range is in the first. */
export function containsIp(range: string, inner: string): boolean {
  const [outerPrefix, innerPrefix] = [prefixOf(range), prefixOf(inner)];
  if (!outerPrefix || outerPrefix.version !== innerPrefix?.version || outerPrefix.length > innerPrefix.length)
    return false;
  const network = (text: string): string => networkOf(text.trim().split("/", 1)[0]!, outerPrefix.length);
  return network(range) === network(inner);
}

export function canonical(address: string): string {
  if (address.includes("%")) return address.toLowerCase();
  // The URL parser formats IPv6 as in RFC 5952: compressed, lower case, no leading zeros.
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function networkOf(address: string, prefix: number): string {
  const version = isIP(address);
  const bits = bitsOf(version);
  const mask = ((1n << BigInt(prefix)) - 1n) << BigInt(bits - prefix);
  return fromBits(toBits(address, version) & mask, version);
}

function bitsOf(version: number): number {
  return version === 4 ? 32 : 128;
}

function toBits(address: string, version: number): bigint {
  if (version === 4) return address.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
  const [head = "", tail] = canonical(address).split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const middle = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...middle, ...right].reduce((bits, part) => (bits << 16n) | BigInt(`0x${part}`), 0n);
}

function fromBits(bits: bigint, version: number): string {
  const [count, width] = version === 4 ? [4, 8n] : [8, 16n];
  const parts = Array.from(
    { length: count },
    (_, index) => (bits >> (width * BigInt(count - 1 - index))) & ((1n << width) - 1n),
  );
  return version === 4 ? parts.join(".") : canonical(parts.map((part) => part.toString(16)).join(":"));
}
