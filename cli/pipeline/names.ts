import { ownType, urnParts } from "../../provider/core/urn";

/** `WhitelistedIp`, for our own types only: others may end with the same word. */
export function kindOf(urn: string): string {
  const { type } = urnParts(urn);
  return ownType(type) ?? type;
}

/** Kind and name; what is not a URN stays as it is. */
export function shortName(urn: string): string {
  return urn.startsWith("urn:pulumi:") ? `${kindOf(urn)} ${urnParts(urn).name}` : urn;
}
