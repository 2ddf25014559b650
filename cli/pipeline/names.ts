import { urnParts } from "../../provider/core/urn";

/** The last part of a type: `WhitelistedIp`. */
export function kindOf(urn: string): string {
  return urnParts(urn).type.split(":").at(-1) ?? "";
}

/** Kind and name; what is not a URN stays as it is. */
export function shortName(urn: string): string {
  return urn.startsWith("urn:pulumi:") ? `${kindOf(urn)} ${urnParts(urn).name}` : urn;
}
