import type { Route } from "../router";
import { accountRoutes } from "./accounts";
import { commandRoutes } from "./commands";
import { dataStoreRoutes } from "./data-stores";
import { folderRoutes } from "./folders";
import { groupRoutes } from "./groups";
import { hiveRoutes } from "./hive";
import { objectPolicyRoutes } from "./object-policies";
import { packageRoutes } from "./packages";
import { whitelistRoutes } from "./whitelist";

/** All operations, in the order of the specification's part 4. */
export const routes: readonly Route[] = [
  ...whitelistRoutes,
  ...commandRoutes,
  ...dataStoreRoutes,
  ...hiveRoutes,
  ...packageRoutes,
  ...folderRoutes,
  ...accountRoutes,
  ...groupRoutes,
  ...objectPolicyRoutes,
];
