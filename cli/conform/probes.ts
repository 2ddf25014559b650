import type { ReadingName } from "../../emulator/readings";
import { readGroups, readRoles, writeAccess } from "./access";
import {
  readAccount,
  readCompression,
  readRefusals,
  readUnknownPath,
  readVersion2,
  readWrongToken,
  writeAccount,
} from "./account";
import { readCommands, readHistory, readOldHistory, writeCommands } from "./commands";
import { readDataStores, writeDataStore } from "./data-stores";
import { readHive, readHiveTables, writeSensors } from "./hive";
import { readPackages, writePackages } from "./packages";
import { readFolder, readPolicies, writeFolder, writePolicies } from "./policies";
import type { Examination, Session } from "./session";
import { objectText } from "./targets";
import { readEmails, readPendingUsers, readUsers, writeUser } from "./users";
import { readWhitelist, writeWhitelist } from "./whitelist";

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

interface WritingProbe extends Probe {
  /** Readings that nothing else finds out. */
  readonly finds?: readonly ReadingName[];
  /** What it creates or changes, and removes or puts back at the end; it notes that before it sends anything. */
  readonly undone?: (examination: Examination) => Lines;
  /** What it does that cannot be undone. */
  readonly stays?: (examination: Examination) => Lines;
}
type Lines = string | false | undefined | readonly (string | undefined)[];

/** Only with `--write`, in this order; the names are those of `--skip`. */
const writing = {
  account: {
    what: "editing the account",
    run: writeAccount,
    finds: ["accountEditBody", "accountEditAnswer", "accountEditFields"],
    stays: ({ targets }) =>
      targets.editAccount && "the account is edited without changes: no parameters, and the name that it has",
  },
  whitelist: {
    what: "adding addresses",
    run: writeWhitelist,
    finds: [
      "whitelistSpelling",
      "whitelistDuplicate",
      "whitelistDeleteUnknown",
      "whitelistDescription",
      "whitelistListDescription",
      "refusalStatus",
    ],
    undone: () =>
      "6 whitelisted addresses that nobody has (192.0.2.x, 198.51.100.x, 203.0.113.x, 2001:db8::x). If whitelisting is enabled and the list is empty, users cannot log in until they are removed",
  },
  "data-stores": {
    what: "creating a data store",
    run: writeDataStore,
    finds: ["dataStorePassword", "dataStoreAnswer", "dataStoreEditPort", "dataStoreEditAnswer"],
    undone: ({ mark }) => `a data store conform-${mark} with an invalid host`,
    stays: ({ mark }) =>
      `data store conform-${mark}, if this installation cannot delete data stores (an extended operation)`,
  },
  access: {
    what: "creating groups and roles",
    run: writeAccess,
    finds: [
      "roleRepeated",
      "memberRepeated",
      "nameTaken",
      "groupCreateAnswer",
      "groupUpdateLists",
      "systemGroupMembers",
      "roleDeleteAssigned",
    ],
    undone: ({ targets: { groupRole }, mark }) => [
      `groups and roles conform-${mark}*, where the installation can create them; one user is a member for a moment`,
      groupRole &&
        `role ${groupRole.role} is assigned to group ${groupRole.group}, and unassigned. Where the roles of a group cannot be listed, the group loses the role if it has it`,
    ],
  },
  sensors: {
    what: "creating sensors",
    run: writeSensors,
    finds: ["sensorPath", "sensorStatus"],
    stays: () => "3 partition sensors, if the platform keeps them",
  },
  policies: {
    what: "setting policies",
    run: writePolicies,
    finds: ["policyFields", "policyMissing", "notShownAnswer"],
    stays: ({ targets: { overwritable } }) =>
      overwritable.map(
        (target) =>
          `the policy of ${objectText(target)} is overwritten, and then put back as the platform showed it; if it cannot be read, it is left alone`,
      ),
  },
  packages: {
    what: "adding packages",
    run: writePackages,
    undone: ({ targets: { environment, package: name } }) =>
      environment !== undefined &&
      name !== undefined &&
      `Python package ${name} in environment ${environment}. Where packages cannot be listed, the environment loses the package if it has it`,
    stays: ({ targets: { environment, package: name } }) =>
      environment !== undefined &&
      name !== undefined &&
      `the request for it, if environment ${environment} keeps a history`,
  },
  folders: {
    what: "renaming a folder",
    run: writeFolder,
    undone: ({ targets: { folder } }) =>
      folder && `folder ${folder.location} is renamed and back; its policy is set to what it is, if it can be seen`,
  },
  users: {
    what: "enabling a user",
    run: writeUser,
    stays: ({ targets: { user } }) =>
      user !== undefined &&
      `user ${user} is enabled afterwards; where users can be disabled, the user is disabled for a moment`,
  },
  commands: {
    what: "submitting commands",
    run: writeCommands,
    finds: ["historyTagsLate", "cancelAnswer", "cancelSeconds", "cancelEnded", "commandLogEarly"],
    stays: ({ mark, waitSeconds }) =>
      `3 commands conform-${mark}-* in the history: two that run "select 1", one that refreshes a table that does not exist. They may start a cluster. Those that run after ${waitSeconds} s are cancelled where the installation can (an extended operation)`,
  },
} satisfies Record<string, WritingProbe>;

export type Part = keyof typeof writing;
export const parts = Object.keys(writing) as Part[];
export const writingProbes: Readonly<Record<Part, WritingProbe>> = writing;

/** What `--write` will do, before anything is sent. */
export function planText(examination: Examination): string {
  const { write, settings } = examination;
  const wanted = parts.filter((part) => !write?.skip.includes(part)).map((part) => writingProbes[part]);
  const list = (title: string, linesOf: (probe: WritingProbe) => Lines) => {
    const lines = wanted.flatMap(linesOf).filter((line) => typeof line === "string");
    return lines.length === 0 ? [] : [title, ...lines.map((line) => `  - ${line}`)];
  };
  return [
    `--write changes account ${write?.account} of ${settings.baseUrl}.`,
    ...list("Created or changed, and removed or put back at the end:", ({ undone }) => undone?.(examination)),
    ...list("Cannot be undone:", ({ stays }) => stays?.(examination)),
    "Accounts are never created.",
    "",
  ].join("\n");
}
