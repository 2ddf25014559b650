/**
 * A point that the specification leaves open, and the emulator's choices. docs/emulator-readings.md shows this catalogue; a
 * test checks that both match.
 */
export interface Reading {
  /** Section of the specification. */
  readonly section: string;
  /** What it leaves open. */
  readonly open: string;
  readonly default: string | number;
  /** What each value means. A reading without values is a whole number. */
  readonly values?: Readonly<Record<string, string>>;
  /** What the number means. */
  readonly number?: string;
}

/** In the order of the specification. */
export const specifiedReadings = {
  compression: {
    section: "1",
    open: "Whether answers are compressed",
    default: "none",
    values: { none: "no", gzip: "if the client accepts gzip", "gzip-always": "even if it does not" },
  },
  idType: {
    section: "2",
    open: "Whether ids are sent as the integers of the tables",
    default: "number",
    values: {
      number: "integers",
      text: "`id`, `uid`, `user_id` and `account_id` as strings",
      "text-everywhere": "also the ids in policies",
    },
  },
  whitelistSpelling: {
    section: "2.1",
    open: "How an address is spelled when it is listed",
    default: "as-given",
    values: {
      "as-given": "as it was added",
      canonical: "shortest form, lower case",
      "with-prefix": "canonical, always with a prefix length",
      expanded: "IPv6 with all its digits",
    },
  },
  commandNulls: {
    section: "2.2",
    open: "How a command object shows a field that has no value",
    default: "null",
    values: { null: "as `null`", absent: "not at all" },
  },
  commandTimes: {
    section: "2.2",
    open: "Form of `created_at`, `start_time` and `end_time` of a command",
    default: "iso",
    values: { iso: "`2024-01-01T00:00:00Z`", epoch: "seconds, an integer", text: "`2024-01-01 00:00:00 UTC`" },
  },
  dataStorePassword: {
    section: "2.3",
    open: "What the answer shows as `db_passwd`",
    default: "as-sent",
    values: { "as-sent": "the password", empty: '`""`', absent: "nothing" },
  },
  createdAccountId: {
    section: "2.5",
    open: "Type of `account_id` of a new account",
    default: "number",
    values: { number: "integer", text: "string" },
  },
  policyFields: {
    section: "2.6",
    open: "Fields of an element or condition besides those named",
    default: "refused",
    values: {
      refused: "422 when a policy is set with some",
      kept: "kept and shown",
      added: "the view adds some of its own, and others are kept",
    },
  },
  usersEnvelope: {
    section: "2.8",
    open: "Envelope of `get_users` and `get_pending_users`",
    default: "users",
    values: {
      users: "`{users:[…]}`",
      array: "a bare array",
      paged: "`{paging_info:{…}, users:[…], groups:[…]}`, all on one page",
    },
  },
  emailsEnvelope: {
    section: "2.8",
    open: "Answer of `get_user_emails`",
    default: "emails",
    values: { emails: "`{emails:[…]}`", array: "a bare array", users: "`{users:[{email}, …]}`" },
  },
  oddUser: {
    section: "2.8",
    open: "Whether every entry of `get_users` is complete",
    default: "none",
    values: {
      none: "yes",
      "null-email": "the first has `email: null`",
      "id-only": "the first has an `id` and nothing else",
      null: "the first is `null`",
    },
  },
  pendingUsers: {
    section: "2.8",
    open: "Whether `get_users` lists pending users",
    default: "left-out",
    values: { "left-out": "no", listed: "yes, as disabled ones" },
  },
  whitelistDuplicate: {
    section: "4.1",
    open: "Adding an address that is listed, in any spelling",
    default: "409",
    values: { "409": "409", "200": "success, and nothing changes", "second-record": "success, and a second record" },
  },
  whitelistOrder: {
    section: "4.1",
    open: "Order of the list",
    default: "oldest-first",
    values: {
      "oldest-first": "oldest first",
      "newest-first": "newest first",
      "by-address": "by the text of the address",
    },
  },
  whitelistDeleteUnknown: {
    section: "4.1",
    open: "Deleting an id that is not there",
    default: "404",
    values: { "404": "404 names it, and nothing is deleted", "200": "success; the others are deleted" },
  },
  historyTags: {
    section: "4.6",
    open: "Where `include_query_properties` adds the tags",
    default: "tags",
    values: {
      tags: "an array `tags`",
      "command.tags": "an array `tags` within `command`",
      text: "`tags`, a string with commas",
      never: "nowhere",
    },
  },
  historyTagsLate: {
    section: "4.6",
    open: "When the tags show up in the history",
    default: 0,
    number: "in how many answers a command is shown without them first",
  },
  historyPageEnds: {
    section: "4.6",
    open: "`previous_page` and `next_page` where there is none",
    default: "null",
    values: { null: "`null`", absent: "not there" },
  },
  dataStoreAnswer: {
    section: "4.7",
    open: "How much of 2.3 the answer to a creation holds",
    default: "whole",
    values: { whole: "all of it", minimal: "`{id}`" },
  },
  hiveFilter: {
    section: "4.8",
    open: "Whether `filter` must match the whole name",
    default: "search",
    values: { search: "no, any part", whole: "yes" },
  },
  sensorPath: {
    section: "4.9",
    open: "Which of the two paths exists",
    default: "both",
    values: { both: "both", heading: "`/partition_sensor` only", examples: "`/sensors/partition_sensor` only" },
  },
  sensorStatus: {
    section: "4.9",
    open: "Type of `status`, which the section calls a string",
    default: "text",
    values: { text: 'string, `"true"` or `"false"`', boolean: "boolean" },
  },
  notShownAnswer: {
    section: "4.10–4.14",
    open: "Answer to adding and removing packages, renaming a folder, setting a policy, enabling a user",
    default: "detailed",
    values: {
      detailed:
        '`{status:{status_code:200, message}}`; for packages `{status:"success", packages:["name==version", …]}`',
      object: "`{}`",
      empty: "no body",
      null: "`null`",
      done: '`{status:"done"}`',
      success: '`{status:"success"}`',
      "204": "204",
    },
  },
  storageLocation: {
    section: "4.12",
    open: "What the view shows as `storage_location`",
    default: "defloc",
    values: {
      defloc: "`defloc` as it was sent",
      "final-slash": "with a slash at the end",
      "without-scheme": "without `s3://`",
      "own-bucket": "a bucket of the platform",
    },
  },
  roleRepeated: {
    section: "4.13",
    open: "Assigning a role that is assigned, unassigning one that is not",
    default: "done",
    values: { done: "`done`, and nothing changes", refused: "409, 404" },
  },
  policyView: {
    section: "4.14",
    open: "Form of the view of an object policy",
    default: "wrapped",
    values: {
      wrapped: "`{source_id, source_type, policy:[…]}`",
      "wrapped-text": "the same, with the policy as JSON text",
      "policy-only": "`{policy:[…]}`",
      array: "a bare array",
      text: "a string of JSON text",
    },
  },
  policyIdLists: {
    section: "4.14",
    open: "Whether the view shows a condition as it was set",
    default: "as-set",
    values: { "as-set": "yes", filled: "with both lists of ids, empty where none was given" },
  },
  policyMissing: {
    section: "4.14",
    open: "View of an object that has no policy",
    default: "usual",
    values: {
      usual: "the usual form, with an empty array",
      array: "`[]`",
      object: "`{}`",
      null: "`null`",
      empty: "no body",
      "404": "404",
    },
  },
  errorBody: {
    section: "7",
    open: "Form of all errors but the sensor's",
    default: "error-object",
    values: {
      "error-object": "`{error:{error_code, error_message}}`",
      message: "`{message}`",
      "error-text": '`{error:"…"}`',
      "errors-list": "`{errors:[{message}]}`",
      "status-object": "`{status:{status_code, message}}`",
      text: "plain text",
      html: "an HTML page",
      empty: "no body",
    },
  },
  refusalStatus: {
    section: "7",
    open: "HTTP status of a refusal",
    default: "own",
    values: {
      own: "its own (4xx)",
      "200": "200; only the body shows it",
      "200-whitelist": "200 with `{status:{status_code, message}}` for the whitelist; its own elsewhere",
    },
  },
} as const satisfies Record<string, Reading>;
