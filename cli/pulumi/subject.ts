import { shortList } from "../terminal/plural";
import { printable } from "../terminal/style";
import type { Managed } from "./managed";

type Properties = Readonly<Record<string, unknown>>;
interface Naming {
  /** The properties used in the text; if one of them is secret, the whole text is masked. */
  readonly from: readonly string[];
  readonly words: (properties: Properties) => string;
}

/** How the platform refers to what a resource manages; its name in the program means nothing there. */
const namings: Readonly<Record<string, Naming>> = {
  WhitelistedIp: { from: ["ipCidr"], words: ({ ipCidr }) => text(ipCidr) },
  IpWhitelist: { from: ["addresses"], words: ({ addresses }) => addressList(addresses) },
  EnabledUser: {
    from: ["svcUserId", "email"],
    words: ({ svcUserId, email }) =>
      email === undefined || email === svcUserId
        ? `user ${text(svcUserId)}`
        : `user ${text(svcUserId)} (${text(email)})`,
  },
  ObjectPolicy: {
    from: ["sourceType", "sourceId"],
    words: ({ sourceType, sourceId }) => `${text(sourceType)} ${text(sourceId)}`,
  },
  ObjectGrant: {
    from: ["sourceType", "sourceId", "user", "group"],
    words: ({ sourceType, sourceId, ...principal }) =>
      `${principalText(principal)} on ${text(sourceType)} ${text(sourceId)}`,
  },
  Folder: { from: ["location"], words: ({ location }) => `folder ${text(location)}` },
  FolderPolicy: { from: ["location"], words: ({ location }) => `folder ${text(location)}` },
  FolderGrant: {
    from: ["location", "user", "group"],
    words: ({ location, ...principal }) => `${principalText(principal)} on folder ${text(location)}`,
  },
  GroupRoleAssignment: {
    from: ["groupId", "role"],
    words: ({ groupId, role }) => `role ${text(role)} of group ${text(groupId)}`,
  },
  GroupRoles: { from: ["groupId"], words: ({ groupId }) => `roles of group ${text(groupId)}` },
  DataStore: {
    from: ["dbName", "dbHost"],
    words: ({ dbName, dbHost }) => `database ${text(dbName)} at ${text(dbHost)}`,
  },
  PartitionSensor: { from: ["schema", "table"], words: ({ schema, table }) => `table ${text(schema)}.${text(table)}` },
  PackageSet: { from: ["envId"], words: ({ envId }) => `packages of environment ${text(envId)}` },
  Account: { from: ["name"], words: ({ name }) => `account ${text(name)}` },
};

/** The address, user or object that a resource manages, as one would search for it on the platform. Secrets masked. */
export function subjectOf({ type, id, state, secretNames }: Managed): string {
  const naming = namings[type];
  const known = naming?.from.some((name) => state[name] !== undefined);
  if (!naming || !known) return `${type} ${id}`;
  return naming.from.some((name) => secretNames.has(name)) ? "[secret]" : printable(naming.words(state));
}

function addressList(addresses: unknown): string {
  return shortList((Array.isArray(addresses) ? addresses : [addresses]).map(text));
}

function principalText({ user, group }: Properties): string {
  return user === undefined ? `group ${text(group)}` : `user ${text(user)}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "?");
}
