import type { Route } from "../router";
import { extendedAccountRoutes } from "./account-edit";
import { extendedCommandRoutes } from "./commands";
import { extendedHiveRoutes } from "./hive";
import { extendedPackageRoutes } from "./packages";
import { extendedPolicyRoutes } from "./policies";
import { extendedWhitelistRoutes } from "./whitelist";

/**
 * Operations that installations have beside the specification. Served with `--extended`: an emulator without it answers
 * them with 404, like a platform that does not have them. One with the name of a specified operation takes its place.
 */
export const extendedRoutes: readonly Route[] = [
  ...extendedPolicyRoutes,
  ...extendedPackageRoutes,
  ...extendedAccountRoutes,
  ...extendedWhitelistRoutes,
  ...extendedCommandRoutes,
  ...extendedHiveRoutes,
];

/** All of them, or those with these names: an installation may have some. */
export type ExtendedChoice = boolean | readonly string[];

export function chosenRoutes(choice: ExtendedChoice = false): readonly Route[] {
  if (typeof choice === "boolean") return choice ? extendedRoutes : [];
  const names = extendedRoutes.map(({ operation }) => operation);
  const unknown = choice.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`there is no extended operation ${unknown.join(", ")}; use some of ${names.join(", ")}`);
  return extendedRoutes.filter(({ operation }) => choice.includes(operation));
}
