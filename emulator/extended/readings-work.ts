import type { Reading } from "../readings-catalogue";

/** Commands, packages, folders, accounts, the whitelist and Hive. In the order of docs/extended-api.md; the first value of each is the default. */
export const workReadings = {
  environmentsEnvelope: {
    section: "Packages",
    open: "Answer of `list_environments`",
    default: "environments",
    values: { environments: "`{environments:[{id, name}, …]}`", array: "a bare array" },
  },
  packageEntries: {
    section: "Packages",
    open: "What `list_packages` lists as `packages`",
    default: "text",
    values: {
      text: '`["numpy==1.26.4", …]`',
      objects: "`[{name, version}, …]`",
      map: '`{numpy:"1.26.4", …}`',
      names: '`["numpy", …]`',
      requests:
        "the last 5 failed requests to add packages and the last successful one, `[{id, package_names, status, created_at}, …]`",
    },
  },
  packageKeys: {
    section: "Packages",
    open: "Names of the two languages in `list_packages`",
    default: "short",
    values: { short: "`python` and `r`", "source-types": "`python_package` and `r_package`" },
  },
  packageHistory: {
    section: "Packages",
    open: "What `list_packages` shows as `installed_pkgs_history`",
    default: "requests",
    values: { requests: "the successful requests of each language", empty: "`[]`", absent: "nothing" },
  },
  accountEditFields: {
    section: "Accounts",
    open: "Parameters for editing an account besides those listed",
    default: "listed",
    values: {
      listed: "422",
      ignored: "ignored",
      "create-fields": "those of a creation are accepted, such as `name` and `idle_session_timeout`; others are 422",
    },
  },
  accountEditBody: {
    section: "Accounts",
    open: "Whether the parameters for editing an account are wrapped in `account`",
    default: "flat",
    values: { flat: "no", both: "both are accepted", wrapped: "yes" },
  },
  accountEditAnswer: {
    section: "Accounts",
    open: "Answer to editing an account",
    default: "not-shown",
    values: { "not-shown": "as **notShownAnswer** says", account: "the account as it is viewed" },
  },
  whitelistDescription: {
    section: "Whitelist",
    open: "`description` of an address that is added with v1.2",
    default: "accepted",
    values: { accepted: "kept, as with v2", ignored: "ignored", refused: "422" },
  },
  whitelistListDescription: {
    section: "Whitelist",
    open: "Which lists of addresses show `description`",
    default: "v2",
    values: { v2: "that of v2", both: "both", neither: "neither" },
  },
  commandStatusTimes: {
    section: "Commands",
    open: "Form of the times of a command that is viewed by its id",
    default: "epoch",
    values: {
      epoch: "`start_time` and `end_time` in seconds, an integer; the others `2024-01-01 00:00:00 UTC`",
      "epoch-iso": "`start_time` and `end_time` in seconds, an integer; the others `2024-01-01T00:00:00Z`",
      "as-history": "all as **commandTimes** says",
    },
  },
  commandStatusQlog: {
    section: "Commands",
    open: "`qlog` of a command that is viewed by its id",
    default: "columns",
    values: {
      columns: "JSON text with the columns of the results, or `null`",
      "as-history": "why the command failed, as in the history",
    },
  },
  cancelAnswer: {
    section: "Commands",
    open: "Answer to cancelling a command",
    default: "command",
    values: {
      command: "the command object",
      status: '`{status:"kill"}`',
      "id-status": '`{id, status:"cancelling"}`',
      object: "`{}`",
      empty: "no body",
      "204": "204",
    },
  },
  cancelSeconds: {
    section: "Commands",
    open: "How long a cancelled command is `cancelling`",
    default: 1,
    number: "seconds",
  },
  cancelEnded: {
    section: "Commands",
    open: "Cancelling a command that has ended",
    default: "accepted",
    values: { accepted: "success, and nothing changes", refused: "422" },
  },
  commandLogEarly: {
    section: "Commands",
    open: "Log of a command that has not started",
    default: "empty",
    values: { empty: "empty text", "404": "404" },
  },
  commandResults: {
    section: "Commands",
    open: "Whether results count as too large to be inline",
    default: "inline",
    values: { inline: "if they have 20 MB or more", location: "always" },
  },
  partitionNames: {
    section: "Hive",
    open: "Spelling of values in `PART_NAME`",
    default: "as-is",
    values: { "as-is": "as they are", escaped: "special characters percent-encoded, such as `%3A` for a colon" },
  },
} as const satisfies Record<string, Reading>;
