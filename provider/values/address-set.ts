import { normaliseIp } from "./ip-address";
import { sameLists } from "./references";

/** Compares addresses by meaning, and keeps the user's spelling. */
export class AddressSet implements Iterable<string> {
  readonly #spelling = new Map<string, string>();

  constructor(addresses: Iterable<string>) {
    for (const address of addresses) this.#spelling.set(normaliseIp(address), address);
  }

  has(address: string): boolean {
    return this.#spelling.has(normaliseIp(address));
  }

  /** Addresses that are in none of the others. */
  without(...others: readonly Iterable<string>[]): string[] {
    const excluded = new Set(others.flatMap((other) => [...other].map(normaliseIp)));
    return [...this.#spelling].filter(([address]) => !excluded.has(address)).map(([, spelling]) => spelling);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#spelling.values();
  }

  /** Repeated addresses, in the spelling of the repetition. */
  static duplicates(addresses: readonly string[]): string[] {
    const seen = new Set<string>();
    return addresses.filter((address) => {
      const normalised = normaliseIp(address);
      if (seen.has(normalised)) return true;
      seen.add(normalised);
      return false;
    });
  }
}

export function count({ length }: readonly string[]): string {
  return length === 1 ? "1 address" : `${length} addresses`;
}

export const sameAddresses = sameLists(normaliseIp);
