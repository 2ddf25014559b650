import { readAccount, readCompression, readEmails, readPendingUsers, readUsers } from "./read-account";
import { readRefusals, readUnknownPath, readWrongToken } from "./read-errors";
import { readDataStores, readGroups, readRoles } from "./read-extended";
import { readCommands, readFolder, readHiveTables, readPackages, readVersion2 } from "./read-extended-work";
import { readHistory, readHive, readOldHistory, readWhitelist } from "./read-lists";
import { readPolicies } from "./read-policy";
import type { Session } from "./session";
import { writeAccess } from "./write-access";
import { writeAccount } from "./write-account";
import { writeCommands } from "./write-commands";
import { writeDataStore } from "./write-data-stores";
import { writePolicies } from "./write-policies";
import { writeFolder, writePackages, writeSensors, writeUser } from "./write-things";
import { writeWhitelist } from "./write-whitelist";

export interface Probe {
  /** Shown while it runs. */
  readonly what: string;
  readonly run: (session: Session) => Promise<void>;
}

/** In this order: later ones use what earlier ones find. They send GET requests only. */
export const readingProbes: readonly Probe[] = [
  { what: "account", run: readAccount },
  { what: "refusals", run: readRefusals },
  { what: "unknown paths", run: readUnknownPath },
  { what: "wrong token", run: readWrongToken },
  { what: "compression", run: readCompression },
  { what: "users", run: readUsers },
  { what: "pending users", run: readPendingUsers },
  { what: "user e-mails", run: readEmails },
  { what: "whitelist", run: readWhitelist },
  { what: "Hive tables", run: readHive },
  { what: "command history", run: readHistory },
  { what: "command history with a body", run: readOldHistory },
  { what: "object policies", run: readPolicies },
  { what: "data stores", run: readDataStores },
  { what: "groups", run: readGroups },
  { what: "roles", run: readRoles },
  { what: "packages", run: readPackages },
  { what: "folders", run: readFolder },
  { what: "version 2", run: readVersion2 },
  { what: "tables", run: readHiveTables },
  { what: "commands", run: readCommands },
];

export const parts = [
  "account",
  "whitelist",
  "data-stores",
  "access",
  "sensors",
  "policies",
  "packages",
  "folders",
  "users",
  "commands",
] as const;
export type Part = (typeof parts)[number];

/** Only with `--write`. They note what they create before they create it. */
export const writingProbes: Readonly<Record<Part, Probe>> = {
  account: { what: "editing the account", run: writeAccount },
  whitelist: { what: "adding addresses", run: writeWhitelist },
  "data-stores": { what: "creating a data store", run: writeDataStore },
  access: { what: "creating groups and roles", run: writeAccess },
  sensors: { what: "creating sensors", run: writeSensors },
  policies: { what: "setting policies", run: writePolicies },
  packages: { what: "adding packages", run: writePackages },
  folders: { what: "renaming a folder", run: writeFolder },
  users: { what: "enabling a user", run: writeUser },
  commands: { what: "submitting commands", run: writeCommands },
};
