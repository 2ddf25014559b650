import { extendedReadings } from "../../emulator/extended/readings";
import { catalogue, type ReadingName } from "../../emulator/readings";
import type { OperationName } from "./catalogue";

/** Readings that no probe can determine, and why. A test goes through all the others. */
export const undetermined = {
  createdAccountId: "would create an account, which nothing can delete",
} as const satisfies Partial<Record<ReadingName, string>>;

/** Operations that are never tried, with --write or without, and why. */
export const neverTried = {
  "account.create": "an account cannot be deleted",
  "account.createV2": "an account cannot be deleted",
  "folders.create": "no operation deletes a folder",
  "folders.move": "no operation deletes a folder",
} as const satisfies Partial<Record<OperationName, string>>;

/** Readings that a reading examination can determine, if the account holds what shows them. */
const readable: ReadonlySet<string> = new Set([
  "compression",
  "idType",
  "commandNulls",
  "commandTimes",
  "usersEnvelope",
  "emailsEnvelope",
  "oddUser",
  "pendingUsers",
  "whitelistOrder",
  "historyTags",
  "historyPageEnds",
  "hiveFilter",
  "policyView",
  "policyIdLists",
  "errorBody",
  "pageOutOfBounds",
  "dataStoreList",
  "dataStoreViewName",
  "dataStoreViewPassword",
  "dataStoreViewPort",
  "dataStoreViewGateway",
  "groupList",
  "groupRecord",
  "groupUsers",
  "groupRoles",
  "roleList",
  "roleRecord",
  "roleGroups",
  "userEntry",
  "environmentsEnvelope",
  "packageEntries",
  "packageKeys",
  "packageHistory",
  "commandStatusTimes",
  "commandStatusQlog",
  "commandResults",
  "partitionNames",
] satisfies ReadingName[]);

/** Why a reading is open when its probe had no more to say. */
export function usualReason(writes: boolean): (name: ReadingName) => string {
  return (name) => {
    if (Object.hasOwn(undetermined, name)) return undetermined[name as keyof typeof undetermined];
    if (!writes && !readable.has(name)) return "needs --write";
    return Object.hasOwn(extendedReadings, name)
      ? "the extended operation that shows it is lacking, not allowed or not tried"
      : `nothing that shows it was found: ${catalogue[name].open}`;
  };
}
