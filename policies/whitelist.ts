import type { Resource } from "./resource";
import { listOf, textOf } from "./values";

/** Resources that put addresses on the whitelist. */
export const whitelistTypes = ["WhitelistedIp", "IpWhitelist"] as const;

export interface DeclaredAddress {
  /** `addresses[0]` */
  readonly path: string;
  readonly address: string;
}

/** The addresses that a resource puts on the whitelist, as far as they are known. */
export function declaredAddresses({ type, properties }: Pick<Resource, "type" | "properties">): DeclaredAddress[] {
  if (type === "WhitelistedIp") return addressAt("ipCidr", properties["ipCidr"]);
  return listOf(properties["addresses"]).flatMap((address, index) => addressAt(`addresses[${index}]`, address));
}

function addressAt(path: string, value: unknown): DeclaredAddress[] {
  const address = textOf(value);
  return address === undefined ? [] : [{ path, address }];
}
