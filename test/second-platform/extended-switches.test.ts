import { type ExtendedSwitchName, extendedCatalogue, type Settings } from ".";
import { checkSwitches } from "./probes/check";
import { accountCompany, extendedAccountProbes } from "./probes/extended/accounts";
import { catalogCompany, extendedCatalogProbes } from "./probes/extended/catalog";
import { commandCompany, extendedCommandProbes } from "./probes/extended/commands";
import { extendedDataStoreProbes } from "./probes/extended/data-stores";
import { extendedGeneralProbes, generalCompany } from "./probes/extended/general";
import { extendedGroupProbes, groupCompany } from "./probes/extended/groups";
import { extendedRoleProbes } from "./probes/extended/roles";
import type { Probe } from "./probes/tester";

// The type makes a switch without a probe a compile error.
const probes: Record<ExtendedSwitchName, Probe> = {
  ...extendedGeneralProbes,
  ...extendedDataStoreProbes,
  ...extendedGroupProbes,
  ...extendedRoleProbes,
  ...extendedCatalogProbes,
  ...extendedAccountProbes,
  ...extendedCommandProbes,
};

const company: Partial<Record<ExtendedSwitchName, Settings>> = {
  ...generalCompany,
  ...groupCompany,
  ...catalogCompany,
  ...accountCompany,
  ...commandCompany,
};

checkSwitches({ catalogue: extendedCatalogue, probes, company, base: { extended: true } });
