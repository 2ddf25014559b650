import { isIP } from "node:net";

/** Addresses and ranges as text. Without zod, which the policy pack must not load. */

/** The first and the last address of a range, as numbers. */
export interface Range {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** A range as a text has it: with any address of it, and the number of bits that all its addresses share. */
interface WrittenRange extends Range {
  readonly address: bigint;
  readonly length: number;
}

/** Undefined for other text, and for an address with a zone, which means something on one machine only. */
function read(text: string): WrittenRange | undefined {
  const [, given = "", prefix] = /^([^/%]+)(?:\/(\d+))?$/.exec(text.trim()) ?? [];
  const version = isIP(given) as 0 | 4 | 6;
  if (version === 0) return undefined;
  const length = Number(prefix ?? bitsOf(version));
  if (length > bitsOf(version)) return undefined;
  const address = toBits(given, version);
  const size = 1n << BigInt(bitsOf(version) - length);
  const first = address - (address % size);
  return { version, address, length, first, last: first + size - 1n };
}

/**
 * A unique spelling for each address: IPv6 compressed and in lower case, single-address ranges without the prefix. A
 * platform may list the range of 203.0.113.7/24 by its first address.
 */
export function normaliseIp(text: string): string {
  const range = read(text);
  if (!range) return text.trim().toLowerCase();
  const { version, first, length } = range;
  return `${fromBits(first, version)}${length === bitsOf(version) ? "" : `/${length}`}`;
}

export function sameIp(a: string, b: string): boolean {
  return normaliseIp(a) === normaliseIp(b);
}

/** Advice about a range that is written with an address inside it. */
export function hostBitsAdvice(text: string): string[] {
  const { address, first } = read(text) ?? {};
  return address === first ? [] : [`${text} has bits set beyond its prefix; the range is ${normaliseIp(text)}`];
}

/** Whether a range allows every address. */
export function isEveryone(text: string): boolean {
  return /\/0+$/.test(text);
}

/** Addresses of IPv6 that mean those of IPv4: `::ffff:0:0/96`. */
const mapped = 0xffffn;

/** Undefined for other text. */
export function rangeOf(text: string): Range | undefined {
  const range = read(text);
  if (!range) return undefined;
  const { version, first, last } = range;
  const isMapped = version === 6 && first >> 32n === mapped && last >> 32n === mapped;
  return isMapped ? { version: 4, first: first & 0xffffffffn, last: last & 0xffffffffn } : { version, first, last };
}

/** Whether every address of the second range is in the first. */
export function containsIp(range: string, inner: string): boolean {
  const [outside, inside] = [read(range), read(inner)];
  if (!outside || outside.version !== inside?.version) return false;
  return outside.first <= inside.first && inside.last <= outside.last;
}

function bitsOf(version: 4 | 6): number {
  return version === 4 ? 32 : 128;
}

function toBits(address: string, version: 4 | 6): bigint {
  if (version === 4) return address.split(".").reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
  const [left = [], right = []] = canonical(address)
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  const middle = Array<string>(8 - left.length - right.length).fill("0");
  return [...left, ...middle, ...right].reduce((bits, part) => (bits << 16n) | BigInt(`0x${part}`), 0n);
}

function fromBits(bits: bigint, version: 4 | 6): string {
  const [count, width] = version === 4 ? [4, 8n] : [8, 16n];
  const parts = Array.from({ length: count }, (_, index) =>
    BigInt.asUintN(Number(width), bits >> (width * BigInt(count - 1 - index))),
  );
  return version === 4 ? parts.join(".") : canonical(parts.map((part) => part.toString(16)).join(":"));
}

/** The URL parser formats IPv6 as in RFC 5952: compressed, lower case, no leading zeros. */
function canonical(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
