import type { Rule } from "../rule";
import { allToEverybody } from "./all-to-everybody";
import { commandTriggers } from "./command-triggers";
import { denyTheRest } from "./deny-the-rest";
import { manageByGroups } from "./manage-by-groups";
import { onPremiseGateway } from "./on-premise-gateway";
import { oneExclusiveWhitelist } from "./one-exclusive-whitelist";
import { packageVersions } from "./package-versions";
import { plaintextSecrets } from "./plaintext-secrets";
import { protectedData } from "./protected-data";
import { protectedPolicies } from "./protected-policies";
import { rolesNamedOneWay } from "./roles-named-one-way";
import { separateDuties } from "./separate-duties";
import { systemAdmin } from "./system-admin";
import { wayBackIn } from "./way-back-in";
import { wholeInternet } from "./whole-internet";

const inOrder: readonly Rule[] = [
  wholeInternet,
  wayBackIn,
  oneExclusiveWhitelist,
  denyTheRest,
  allToEverybody,
  manageByGroups,
  protectedPolicies,
  protectedData,
  plaintextSecrets,
  onPremiseGateway,
  systemAdmin,
  separateDuties,
  rolesNamedOneWay,
  commandTriggers,
  packageVersions,
];

/** Every rule, in documentation order. */
export const rules: readonly Rule[] = inOrder.map((rule) => ({
  ...rule,
  // As seen from a user's project.
  page: `node_modules/pulumi-dataplatform/docs/policies/${rule.name}.md`,
}));
