import { printable } from "../terminal/style";
import type { Managed } from "./managed";

type Properties = Readonly<Record<string, unknown>>;
interface Naming {
  /** The properties that the words are made of: if the state keeps one of them encrypted, none is shown. */
  readonly from: readonly string[];
  readonly words: (properties: Properties) => string;
}

const most = 5;

/** What a resource stands for on the platform, in the platform's terms: the name in the program says nothing there. */
const namings: Readonly<Record<string, Naming>> = {
  WhitelistedIp: { from: ["ipCidr"], words: ({ ipCidr }) => text(ipCidr) },
  IpWhitelist: { from: ["addresses"], words: ({ addresses }) => listed(addresses) },
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
  Folder: { from: ["location"], words: ({ location }) => `folder ${text(location)}` },
  FolderPolicy: { from: ["location"], words: ({ location }) => `folder ${text(location)}` },
  GroupRoleAssignment: {
    from: ["groupId", "role"],
    words: ({ groupId, role }) => `role ${text(role)} of group ${text(groupId)}`,
  },
  DataStore: {
    from: ["dbName", "dbHost"],
    words: ({ dbName, dbHost }) => `database ${text(dbName)} at ${text(dbHost)}`,
  },
  PartitionSensor: { from: ["schema", "table"], words: ({ schema, table }) => `table ${text(schema)}.${text(table)}` },
  PackageSet: { from: ["envId"], words: ({ envId }) => `packages of environment ${text(envId)}` },
  Account: { from: ["name"], words: ({ name }) => `account ${text(name)}` },
};

/** The address, user or object that a resource stands for, as a person looks for it on the platform. Secrets masked. */
export function subjectOf({ type, id, state, secretNames }: Managed): string {
  const naming = namings[type];
  const known = naming?.from.some((name) => state[name] !== undefined);
  if (!naming || !known) return `${type} ${id}`;
  return naming.from.some((name) => secretNames.has(name)) ? "[secret]" : printable(naming.words(state));
}

function listed(addresses: unknown): string {
  const all = Array.isArray(addresses) ? addresses.map(text) : [text(addresses)];
  return all.length > most ? `${all.slice(0, most).join(", ")} and ${all.length - most} more` : all.join(", ");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "?");
}
