import type { Route } from "../router.js";
import { accountRoutes } from "./accounts.js";
import { commandRoutes } from "./commands.js";
import { dataStoreRoutes } from "./data-stores.js";
import { folderRoutes } from "./folders.js";
import { groupRoutes } from "./groups.js";
import { hiveRoutes } from "./hive.js";
import { objectPolicyRoutes } from "./object-policies.js";
import { packageRoutes } from "./packages.js";
import { whitelistRoutes } from "./whitelist.js";

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
