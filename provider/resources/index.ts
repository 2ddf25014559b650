import type { AnyResource } from "../core/define";
import { account } from "./account";
import { command } from "./command";
import { dataStore } from "./data-store";
import { enabledUser } from "./enabled-user";
import { folder } from "./folder";
import { folderGrant } from "./folder-grant";
import { folderPolicy } from "./folder-policy";
import { group } from "./group";
import { groupMembership } from "./group-membership";
import { groupRoleAssignment } from "./group-role-assignment";
import { ipWhitelist } from "./ip-whitelist";
import { objectGrant } from "./object-grant";
import { objectPolicy } from "./object-policy";
import { packageSet } from "./package-set";
import { partitionSensor } from "./partition-sensor";
import { role } from "./role";
import { whitelistedIp } from "./whitelisted-ip";

/** Every resource, in documentation order. */
export const resources: readonly AnyResource[] = [
  whitelistedIp,
  ipWhitelist,
  account,
  dataStore,
  role,
  group,
  groupMembership,
  groupRoleAssignment,
  objectPolicy,
  objectGrant,
  folderPolicy,
  folderGrant,
  packageSet,
  partitionSensor,
  enabledUser,
  folder,
  command,
];
