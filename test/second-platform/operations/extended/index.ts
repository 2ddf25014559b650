import type { Operation } from "../../operation";
import type { World } from "../../world";
import { accountOperations } from "./accounts";
import { commandOperations } from "./commands";
import { dataStoreOperations } from "./data-stores";
import { environmentOperations } from "./environments";
import { folderOperations } from "./folders";
import { groupOperations } from "./groups";
import { hiveOperations } from "./hive";
import { roleOperations } from "./roles";
import { userOperations } from "./users";
import { whitelistOperations } from "./whitelist";

/** All extended operations; the router serves those that the installation has. */
export const extendedOperations = (world: World): readonly Operation[] => [
  ...dataStoreOperations(world),
  ...groupOperations(),
  ...roleOperations(),
  ...folderOperations,
  ...environmentOperations,
  ...userOperations,
  ...accountOperations,
  ...whitelistOperations,
  ...commandOperations,
  ...hiveOperations,
];
