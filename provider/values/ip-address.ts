import { isIP } from "node:net";
import { z } from "zod";

const expected = 'an IPv4 or IPv6 address such as "203.0.113.7" or "2001:db8::7", or a range such as "203.0.113.0/24"';

/** An address or a range. Keeps the user's spelling; compare with `sameIp` or `normaliseIp`. */
export const ipAddress = z.string().check((context) => {
  const problem = problemWith(context.value);
  if (problem)
    context.issues.push({ code: "custom", input: context.value, message: `${problem}; expected ${expected}` });
});

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
  const network = networkOf(address, Number(prefix));
  return network === canonical(address)
    ? undefined
    : `${quoted} has bits set beyond its prefix; the range is "${network}/${prefix}"`;
}

/** A unique spelling for each address: IPv6 compressed and in lower case, single-address ranges without the prefix. */
export function normaliseIp(text: string): string {
  const [address = "", prefix] = text.trim().split("/");
  const version = isIP(address);
  if (version === 0) return text.trim().toLowerCase();
  const single = prefix === undefined || Number(prefix) === (version === 4 ? 32 : 128);
  return single ? canonical(address) : `${canonical(address)}/${Number(prefix)}`;
}

export function sameIp(a: string, b: string): boolean {
  return normaliseIp(a) === normaliseIp(b);
}

/** Whether a range allows every address. */
export function isEveryone(text: string): boolean {
  return /\/0+$/.test(text);
}

function canonical(address: string): string {
  // The URL parser formats IPv6 as in RFC 5952: compressed, lower case, no leading zeros.
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function networkOf(address: string, prefix: number): string {
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const mask = ((1n << BigInt(prefix)) - 1n) << BigInt(bits - prefix);
  return fromBits(toBits(address, version) & mask, version);
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
