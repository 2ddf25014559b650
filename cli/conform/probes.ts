import { readAccount, readCompression, readVersion2, writeAccount } from "./account";
import { readCommands, writeCommands } from "./commands";
import { readDataStores, writeDataStore } from "./data-stores";
import { readFolder, writeFolder } from "./folders";
import { readHistory, readOldHistory } from "./history";
import { readHive, readHiveTables, writeSensors } from "./hive";
import { readPackages, writePackages } from "./packages";
import { readPolicies, writePolicies } from "./policies";
import { readGroups, readRoles } from "./read-access";
import { readRefusals, readUnknownPath, readWrongToken } from "./refusals";
import type { Examination, Session } from "./session";
import { objectText } from "./targets";
import { readEmails, readPendingUsers, readUsers, writeUser } from "./users";
import { readWhitelist, writeWhitelist } from "./whitelist";
import { writeAccess } from "./write-access";

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

/** Something that is created or changed, and removed or put back at the end; or something that cannot be undone. */
type Change = { readonly undone: string } | { readonly stays: string };

interface WritingProbe extends Probe {
  /** What it is going to do; it notes what it creates before it creates it. */
  readonly plan: (examination: Examination) => readonly (Change | false | undefined)[];
}

/** Only with `--write`, in this order; the names are those of `--skip`. */
export const writingProbes = {
  account: {
    what: "editing the account",
    run: writeAccount,
    plan: ({ targets: { editAccount } }) => [
      editAccount && { stays: "the account is edited without changes: no parameters, and the name that it has" },
    ],
  },
  whitelist: {
    what: "adding addresses",
    run: writeWhitelist,
    plan: () => [
      {
        undone:
          "6 whitelisted addresses that nobody has (192.0.2.x, 198.51.100.x, 203.0.113.x, 2001:db8::x). If whitelisting is enabled and the list is empty, users cannot log in until they are removed",
      },
    ],
  },
  "data-stores": {
    what: "creating a data store",
    run: writeDataStore,
    plan: ({ mark }) => [
      { undone: `a data store conform-${mark} with an invalid host` },
      { stays: `data store conform-${mark}, if this installation cannot delete data stores (an extended operation)` },
    ],
  },
  access: {
    what: "creating groups and roles",
    run: writeAccess,
    plan: ({ targets: { groupRole }, mark }) => [
      {
        undone: `groups and roles conform-${mark}*, where the installation can create them; one user is a member for a moment`,
      },
      groupRole && {
        undone: `role ${groupRole.role} is assigned to group ${groupRole.group}, and unassigned. Where the roles of a group cannot be listed, the group loses the role if it has it`,
      },
    ],
  },
  sensors: {
    what: "creating sensors",
    run: writeSensors,
    plan: () => [{ stays: "3 partition sensors, if the platform keeps them" }],
  },
  policies: {
    what: "setting policies",
    run: writePolicies,
    plan: ({ targets: { overwritable } }) =>
      overwritable.map((target) => ({
        stays: `the policy of ${objectText(target)} is overwritten, and then put back as the platform showed it; if it cannot be read, it is left alone`,
      })),
  },
  packages: {
    what: "adding packages",
    run: writePackages,
    plan: ({ targets: { environment, package: name } }) =>
      environment === undefined || name === undefined
        ? []
        : [
            {
              undone: `Python package ${name} in environment ${environment}. Where packages cannot be listed, the environment loses the package if it has it`,
            },
            { stays: `the request for it, if environment ${environment} keeps a history` },
          ],
  },
  folders: {
    what: "renaming a folder",
    run: writeFolder,
    plan: ({ targets: { folder } }) => [
      folder && {
        undone: `folder ${folder.location} is renamed and back; its policy is set to what it is, if it can be seen`,
      },
    ],
  },
  users: {
    what: "enabling a user",
    run: writeUser,
    plan: ({ targets: { user } }) => [
      user !== undefined && {
        stays: `user ${user} is enabled afterwards; where users can be disabled, the user is disabled for a moment`,
      },
    ],
  },
  commands: {
    what: "submitting commands",
    run: writeCommands,
    plan: ({ mark, waitSeconds }) => [
      {
        stays: `3 commands conform-${mark}-* in the history: two that run "select 1", one that refreshes a table that does not exist. They may start a cluster. Those that run after ${waitSeconds} s are cancelled where the installation can (an extended operation)`,
      },
    ],
  },
} satisfies Record<string, WritingProbe>;

export type Part = keyof typeof writingProbes;
export const parts = Object.keys(writingProbes) as Part[];

/** What `--write` will do, before anything is sent. */
export function planText(examination: Examination): string {
  const { write, settings } = examination;
  const wanted = parts.filter((part) => !write?.skip.includes(part)).map((part): WritingProbe => writingProbes[part]);
  const changes = wanted
    .flatMap(({ plan }) => plan(examination))
    .filter((change) => change !== undefined && change !== false);
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [title, ...lines.map((line) => `  - ${line}`)];
  const undone = changes.flatMap((change) => ("undone" in change ? [change.undone] : []));
  const stays = changes.flatMap((change) => ("stays" in change ? [change.stays] : []));
  return [
    `--write changes account ${write?.account} of ${settings.baseUrl}.`,
    ...list("Created or changed, and removed or put back at the end:", undone),
    ...list("Cannot be undone:", stays),
    "Accounts are never created.",
    "",
  ].join("\n");
}
