import type { ExtendedLife, LifecycleCase } from "../harness/lifecycle";
import * as account from "./account";
import * as accountExtended from "./account-extended";
import * as command from "./command";
import * as dataStore from "./data-store";
import * as dataStoreExtended from "./data-store-extended";
import * as enabledUser from "./enabled-user";
import * as folder from "./folder";
import * as folderGrant from "./folder-grant";
import * as folderPolicy from "./folder-policy";
import * as group from "./group";
import * as groupMembership from "./group-membership";
import * as groupRoleAssignment from "./group-role-assignment";
import * as groupRoles from "./group-roles";
import * as ipWhitelist from "./ip-whitelist";
import * as objectGrant from "./object-grant";
import * as objectPolicy from "./object-policy";
import * as packageSet from "./package-set";
import * as packageSetExtended from "./package-set-extended";
import * as partitionSensor from "./partition-sensor";
import * as role from "./role";
import * as whitelistedIp from "./whitelisted-ip";

/** Resources that live side by side in one stack. */
interface Company {
  readonly lives: readonly LifecycleCase[];
  readonly extended: readonly ExtendedLife[];
}

/** Those that manage the same objects of the platform, or count the same requests, stand in different ones. */
const companies: readonly Company[] = [
  {
    lives: [account, command, folderPolicy, groupRoleAssignment, objectPolicy, partitionSensor, whitelistedIp].map(
      ({ life }) => life,
    ),
    extended: [
      accountExtended,
      command,
      folderPolicy,
      groupMembership,
      groupRoleAssignment,
      objectPolicy,
      partitionSensor,
      role,
      whitelistedIp,
    ].map(({ extended }) => extended),
  },
  {
    lives: [dataStore, enabledUser, folder, groupRoles, ipWhitelist, objectGrant, packageSet].map(({ life }) => life),
    extended: [
      dataStoreExtended,
      enabledUser,
      folder,
      folderGrant,
      group,
      groupRoles,
      ipWhitelist,
      objectGrant,
      packageSetExtended,
    ].map(({ extended }) => extended),
  },
];

/** The companies of one kind of life. `RESOURCE=Folder` leaves out the other resources, for work on one of them. */
export function companiesOf<K extends keyof Company>(kind: K): Company[K][] {
  const only = process.env["RESOURCE"];
  const isWanted = ({ type }: { readonly type: string }) => only === undefined || type === only;
  const wanted = companies.map((company) => company[kind].filter(isWanted) as readonly object[] as Company[K]);
  return wanted.filter(({ length }) => length > 0);
}
