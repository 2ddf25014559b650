import { ownType, urnParts } from "../../provider/core/urn";
import { shortList } from "../terminal/plural";
import { printable } from "../terminal/style";
import type { Managed } from "./managed";

type Properties = Readonly<Record<string, unknown>>;

/** How the platform refers to what a resource manages; its name in the program means nothing there. */
const namings: Readonly<Record<string, string>> = {
  WhitelistedIp: "{ipCidr}",
  IpWhitelist: "{addresses}",
  EnabledUser: "user {svcUserId}{email}",
  ObjectPolicy: "{sourceType} {sourceId}",
  ObjectGrant: "{user}{group} on {sourceType} {sourceId}",
  Folder: "folder {location}",
  FolderPolicy: "folder {location}",
  FolderGrant: "{user}{group} on folder {location}",
  GroupRoleAssignment: "role {role} of group {groupId}",
  GroupRoles: "roles of group {groupId}",
  DataStore: "database {dbName} at {dbHost}",
  PartitionSensor: "table {schema}.{table}",
  PackageSet: "packages of environment {envId}",
  Account: "account {name}",
};

/** What is not always said, or not alone. A grant has either a user or a group. */
const special: Readonly<Record<string, (properties: Properties) => string>> = {
  email: ({ email, svcUserId }) => (email === undefined || email === svcUserId ? "" : ` (${text(email)})`),
  user: ({ user }) => (user === undefined ? "" : `user ${text(user)}`),
  group: ({ user, group }) => (user === undefined ? `group ${text(group)}` : ""),
};

/** The address, user or object that a resource manages, as one would search for it on the platform. Secrets masked. */
export function subjectOf({
  type,
  id,
  state,
  secretNames,
}: Pick<Managed, "type" | "id" | "state" | "secretNames">): string {
  const naming = namings[type] ?? "";
  const names = [...naming.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  if (!names.some((name) => state[name] !== undefined)) return `${type} ${id}`;
  // If one of the properties is secret, the whole text is masked.
  if (names.some((name) => secretNames.has(name))) return "[secret]";
  return printable(naming.replace(/\{(\w+)\}/g, (_, name: string) => special[name]?.(state) ?? text(state[name])));
}

function text(value: unknown): string {
  if (Array.isArray(value)) return shortList(value.map(text));
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "?");
}

/** `WhitelistedIp`, for our own types only: others may end with the same word. */
export function kindOf(urn: string): string {
  const { type } = urnParts(urn);
  return ownType(type) ?? type;
}

/** Kind and name; what is not a URN stays as it is. */
export function shortName(urn: string): string {
  return urn.startsWith("urn:pulumi:") ? `${kindOf(urn)} ${urnParts(urn).name}` : urn;
}
