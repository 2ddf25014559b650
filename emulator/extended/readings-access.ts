import type { Reading } from "../readings-catalogue";

const listForms = (name: string) => ({
  named: `\`{${name}:[…]}\`; in pages if \`page\` or \`per_page\` is given`,
  array: "a bare array",
  paged: `\`{paging_info:{…}, ${name}:[…]}\`, 10 on a page`,
});

/** Data stores, groups, roles and users. In the order of docs/extended-api.md. */
export const accessReadings = {
  pageOutOfBounds: {
    section: "Lists",
    open: "Status of `Page number: … is out of bounds.`",
    default: "422",
    values: { "422": "422", "404": "404" },
  },
  dataStoreList: {
    section: "Data stores",
    open: "Whether the list has pages",
    default: "paged",
    values: { paged: "`{paging_info:{…}, db_taps:[…]}`, 10 on a page", unpaged: "`{db_taps:[…]}`, all of them" },
  },
  dataStoreViewName: {
    section: "Data stores",
    open: "Whether list and view show the `name`",
    default: "absent",
    values: { absent: "no", shown: "yes" },
  },
  dataStoreViewPassword: {
    section: "Data stores",
    open: "What list and view show as `db_passwd`",
    default: "empty",
    values: { empty: '`""`', masked: "`********`", absent: "nothing", "as-sent": "the password" },
  },
  dataStoreViewPort: {
    section: "Data stores",
    open: "What list and view show as `port` where none was given",
    default: "null",
    values: { null: "`null`", default: "the default port of the database type" },
  },
  dataStoreViewGateway: {
    section: "Data stores",
    open: "Whether list and view show `catalog_name` and the gateway, without its key",
    default: "absent",
    values: { absent: "no", shown: "yes" },
  },
  dataStoreEditPort: {
    section: "Data stores",
    open: "Name of the port in an edit",
    default: "port",
    values: { port: "`port`; `db_port` is 422", db_port: "`db_port`; `port` is 422", both: "either" },
  },
  dataStoreEditAnswer: {
    section: "Data stores",
    open: "Answer to an edit",
    default: "record",
    values: { record: "the record", status: '`{status:"updated"}`', empty: "no body" },
  },
  nameTaken: {
    section: "Groups, roles",
    open: "Status of a name that another group or role has",
    default: "409",
    values: { "409": "409", "422": "422" },
  },
  groupList: {
    section: "Groups",
    open: "Form of the list",
    default: "named",
    values: listForms("groups"),
  },
  groupRecord: {
    section: "Groups",
    open: "Whether a group shows its `members` and `roles`",
    default: "plain",
    values: {
      plain: "no: `{id, name, source}`",
      ids: "their ids",
      records: "`{id, email, name}` and `{id, name}`",
    },
  },
  groupCreateAnswer: {
    section: "Groups",
    open: "Whether the answer to a creation shows more than its status",
    default: "done",
    values: { done: '`{status:"done"}`', id: '`{status:"done", id}`', record: "the record" },
  },
  groupUpdateLists: {
    section: "Groups",
    open: "Effect of `members` and `roles` in an update",
    default: "added",
    values: { added: "they are added", replaced: "they replace those of the group" },
  },
  systemGroupMembers: {
    section: "Groups",
    open: "Adding users to a system group, and removing them",
    default: "accepted",
    values: { accepted: "accepted", refused: "422" },
  },
  memberRepeated: {
    section: "Groups",
    open: "Adding a user who is a member, removing one who is not",
    default: "done",
    values: { done: "success; the others are changed", refused: "409, 404; nothing is changed" },
  },
  groupUsers: {
    section: "Groups",
    open: "Form of the list of users",
    default: "users",
    values: {
      users: "`{users:[{id, user_id, email, name}, …]}`",
      svc_users: "`{svc_users:[…]}`",
      array: "a bare array of these",
      ids: "a bare array of ids",
      emails: "a bare array of e-mail addresses",
    },
  },
  groupRoles: {
    section: "Groups",
    open: "Form of the list of roles",
    default: "roles",
    values: {
      roles: "`{roles:[{id, name, source, policy, account_id}, …]}`",
      array: "a bare array of these",
      names: "a bare array of names",
      ids: "a bare array of ids",
    },
  },
  roleList: {
    section: "Roles",
    open: "Form of the list",
    default: "named",
    values: listForms("roles"),
  },
  roleRecord: {
    section: "Roles",
    open: "How list and view show the policies",
    default: "text",
    values: {
      text: "as after creation: `policy`, JSON text",
      array: "`policy`, an array",
      policies: "`policies`, JSON text",
      plain: "not at all: `{id, name, source}`",
    },
  },
  roleDeleteAssigned: {
    section: "Roles",
    open: "Deleting a role that groups have",
    default: "removed",
    values: { removed: "it is removed from them", refused: "409" },
  },
  roleGroups: {
    section: "Roles",
    open: "Form of the list of groups",
    default: "groups",
    values: {
      groups: "`{groups:[{id, name, source}, …]}`",
      array: "a bare array of these",
      names: "a bare array of names",
      ids: "a bare array of ids",
    },
  },
  userEntry: {
    section: "Users",
    open: "Fields of a `get_users` entry",
    default: "short",
    values: {
      short: "those of 2.8",
      manual:
        "also `account_id`, `created_at`, `authentication_token_updated_at`, `last_login`, `user_type`; `groups` as `{id, name, source}`; no token",
    },
  },
} as const satisfies Record<string, Reading>;
