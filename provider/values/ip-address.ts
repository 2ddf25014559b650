import { isIP } from "node:net";
import { z } from "zod";

const allowed = 'an IPv4 or IPv6 address such as "203.0.113.7" or "2001:db8::7", or a range such as "203.0.113.0/24"';

/** An address or a range, as the whitelist takes it. The user's spelling is kept; `normaliseIp` is for comparing. */
export const ipAddress = z.string().check((context) => {
  const problem = problemWith(context.value);
  if (problem)
    context.issues.push({ code: "custom", input: context.value, message: `${problem}; allowed is ${allowed}` });
});

function problemWith(text: string): string | undefined {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  if (text === "") return "is empty";
  if (text !== text.trim()) return `${shown} has spaces around it`;
  if (text.includes(",")) return `${shown} is a list; declare one resource per address`;
  if (text.includes("%")) return `${shown} has a zone, which only means something on one machine`;
  const [address = "", prefix, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return `${shown} is no IP address`;
  if (prefix === undefined) return undefined;
  const longest = version === 4 ? 32 : 128;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > longest)
    return `${shown} has a prefix length that is not from 0 to ${longest}`;
  const network = networkOf(address, Number(prefix));
  return network === canonical(address)
    ? undefined
    : `${shown} has bits set beyond its prefix; the range is "${network}/${prefix}"`;
}

/** One spelling for each address: IPv6 compressed and in lower case, a range of one address without its prefix. */
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

/** Whether a range lets every address in. */
export function isEveryone(text: string): boolean {
  return /\/0+$/.test(text);
}

function canonical(address: string): string {
  // The URL parser writes IPv6 as RFC 5952 asks: compressed, lower case, no leading zeros.
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
