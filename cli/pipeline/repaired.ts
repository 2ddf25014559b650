import { ownType } from "../../provider/core/urn";
import type { Bound } from "./plan";
import { isChange, type Planned } from "./planned";
import type { Exported } from "./state";

/** Types of which one may own a whole list, and the others put something there. */
const families: readonly (readonly string[])[] = [
  ["IpWhitelist", "WhitelistedIp"],
  ["GroupRoles", "GroupRoleAssignment", "Group"],
];

/**
 * What the run of a repair includes: what has drifted. A list that owns everything removes what it does not know, and the
 * engine tells the provider of targets only, so what is declared beside it is part of the run.
 */
function repaired(drifted: readonly string[], { deployment }: Exported): string[] {
  const resources = (deployment?.resources ?? []).map(({ urn, type, inputs }) => ({
    urn,
    inputs,
    type: ownType(type ?? ""),
  }));
  const owners = resources.filter(
    ({ urn, type, inputs = {} }) =>
      drifted.includes(urn) && (inputs["exclusive"] === true || (type === "Group" && inputs["roles"] !== undefined)),
  );
  const known = families.filter((types) => owners.some(({ type }) => type && types.includes(type))).flat();
  const beside = resources.filter(({ type }) => type && known.includes(type));
  return [...new Set([...drifted, ...beside.map(({ urn }) => urn)])].sort();
}

export function repairFlags(drifted: readonly string[], exported: Exported): string[] {
  return ["--refresh", ...repaired(drifted, exported).flatMap((urn) => ["--target", urn])];
}

/** The resources of a plan that its run includes. */
export function includedIn(planned: readonly Planned[], kind: Bound["kind"], exported: Exported): readonly Planned[] {
  if (kind !== "repair") return planned;
  const changing = planned.filter(isChange).map(({ urn }) => urn);
  const included = new Set(repaired(changing, exported));
  return planned.filter(({ urn }) => included.has(urn));
}
