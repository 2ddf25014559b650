import type { Route } from "../router";
import { extendedDataStoreRoutes } from "./data-stores";
import { extendedGroupMemberRoutes } from "./group-members";
import { extendedGroupRoutes } from "./groups";
import { extendedRoleRoutes } from "./roles";
import { extendedUserRoutes } from "./users";

/**
 * Operations that installations have beside the specification. Served with `--extended`: an emulator without it answers
 * them with 404, like a platform that does not have them.
 */
export const extendedRoutes: readonly Route[] = [
  ...extendedDataStoreRoutes,
  ...extendedGroupRoutes,
  ...extendedGroupMemberRoutes,
  ...extendedRoleRoutes,
  ...extendedUserRoutes,
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
