import type { SwitchEntry } from "../../second-platform";

/**
 * Switches about what no life does: add an address twice, send a wrong method, meet a refusal. With each of their values,
 * the lives get exactly the answers that they get without it. So these are tried together: the first values of all on
 * one platform, the second values on the next. They fail there as they would alone, once the provider does such a thing.
 */
const idle = `
  headAndOptions wrongMethod unknownPath otherVersions requestContentType requestAccept malformedJson requestSize
  retryAfterFaults redirectAddress errorBody statusUnauthenticated statusForbidden statusInvalid statusMissing
  statusConflict refusalsUnder200 bodyErrorForm mandatory unknownParameters parameterTypes nullParameters
  emptyTexts checkOrder foreignThings disabledUserToken whitelistWhiteSpace whitelistInvalid whitelistRepeat
  whitelistSame whitelistRefusals whitelistDeleteUnknown whitelistDeletePartly whitelistDeleteComma whitelistEmpty
  lengthsIn macroValues tagsChanged historyPageSize historyBeyondEnd historyPerPageAbove historyShift
  historyBothSources historyAllUsers historyEndDate historyBadDate historyRange sparkLanguages sparkSource
  cmdlineExcludes largeScripts unknownCommandType distCpParameters distCpFailures distCpQuotes distCpCompanions
  sparkAppId macrosForm dataStoreName dataStoreRepeat dataStoreTypes catalogTypes catalogFeature gatewayPortAlone
  sensorUnknownColumn sensorUnknownSchema sensorSeveral packageAbsent packageRemoveVersion packageNames
  packageList packageBlanks folderLocation folderLocationSlash folderSameName folderNameTaken folderNameSlash
  folderType folderPolicyName folderActions policyForm policyAccessAlone policyNoCondition policyEmptyLists
  policyGroupIds policyIdTexts policyViewSource policyEnvironment policySourceId roleNumber roleCase roleSlash
  roleAssigned roleNotAssigned roleBody groupName builtInGroups accountName accountCredentialNames
  accountCredentials accountDownscaling enableEnabled enablePending enableUserId enableEmailCase
`;

/** The same among those of the extended operations. */
const idleExtended = `
  unnamedRights pageBeyondEnd pageOfEmpty dataStoreListPage dataStoreListOrder dataStoreSqlServer
  dataStoreEditName dataStoreDeleted groupViewKeys groupByName groupNumber groupNameCase groupNameKept
  groupNameTaken groupUpdateMembers groupDeleteBuiltIn memberIds memberEmails memberUnknown memberPresent
  memberAbsent memberComma groupUsersShown roleByName rolePolicyForm rolePolicyEmpty rolePolicyNoAction
  rolePolicyNames roleNameTaken roleUpdateRest roleSystemChange roleDeleteAssigned environmentList
  environmentFields environmentVersions packagesFailing disableDisabled disablePending disableSelf accountEditCut
  accountEditKeys accountEditEmpty accountEditChecked accountEmails accountEditRole whitelistDescriptionLong
  whitelistDescription1 whitelistRepeatDescription viewOthers cancelFinished
`;

const names = new Set(`${idle} ${idleExtended}`.trim().split(/\s+/));

export interface Choice {
  readonly title: string;
  readonly switches: Readonly<Record<string, string>>;
}

/** Every value but the defaults: one at a time, but those of idle switches together. */
export function choicesOf(catalogue: Readonly<Record<string, SwitchEntry>>): Choice[] {
  const entries = Object.entries(catalogue);
  const alone = entries
    .filter(([name]) => !names.has(name))
    .flatMap(([name, { values }]) => values.slice(1).map((value) => ({ [name]: value })))
    .map((switches) => ({ title: titleOf(switches), switches }));
  const resting = entries.filter(([name]) => names.has(name));
  const most = Math.max(...resting.map(([, { values }]) => values.length));
  const rounds = Array.from({ length: most - 1 }, (_, round) => ({
    title: `value ${round + 1} of the idle switches`,
    switches: Object.fromEntries(
      resting.flatMap(([name, { values }]) => (values[round + 1] === undefined ? [] : [[name, values[round + 1]!]])),
    ),
  }));
  return [...alone, ...rounds];
}

export function titleOf(switches: object): string {
  const values = Object.entries(switches).map(([name, value]) => `${name}=${value}`);
  return values.join(", ") || "defaults";
}
