import { extendedAccounts } from "./accounts";
import { extendedCatalog } from "./catalog";
import { extendedCommands } from "./commands";
import { extendedDataStores } from "./data-stores";
import { extendedGeneral } from "./general";
import { extendedGroups } from "./groups";
import { extendedRoles } from "./roles";

/**
 * The switches of the extended operations. They are kept apart from those of the specification, so that whoever goes
 * through one catalogue does not go through the other.
 */
export const extendedCatalogue = {
  ...extendedGeneral,
  ...extendedDataStores,
  ...extendedGroups,
  ...extendedRoles,
  ...extendedCatalog,
  ...extendedAccounts,
  ...extendedCommands,
};

export type ExtendedSwitchName = keyof typeof extendedCatalogue;
