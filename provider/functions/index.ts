import type { AnyFunction } from "../core/define-function";
import { checkPartition } from "./check-partition";
import { getAccount } from "./get-account";
import { getCommandHistory } from "./get-command-history";
import { getCommandLog } from "./get-command-log";
import { getCommandResults } from "./get-command-results";
import { getDataStores } from "./get-data-stores";
import { getGroups } from "./get-groups";
import { getHiveTables } from "./get-hive-tables";
import { getObjectPolicy } from "./get-object-policy";
import { getPendingUsers } from "./get-pending-users";
import { getRoles } from "./get-roles";
import { getTableDefinition } from "./get-table-definition";
import { getTablePartitions } from "./get-table-partitions";
import { getUserEmails } from "./get-user-emails";
import { getUsers } from "./get-users";
import { getWhitelistedIps } from "./get-whitelisted-ips";
import { submitCommand } from "./submit-command";

/** Every function, in documentation order. */
export const functions: readonly AnyFunction[] = [
  submitCommand,
  getAccount,
  getUsers,
  getPendingUsers,
  getUserEmails,
  getGroups,
  getRoles,
  getWhitelistedIps,
  getHiveTables,
  getTableDefinition,
  getTablePartitions,
  getCommandHistory,
  getCommandResults,
  getCommandLog,
  getDataStores,
  getObjectPolicy,
  checkPartition,
];

export function functionNamed(name: string): AnyFunction | undefined {
  return functions.find((definition) => definition.name === name);
}
