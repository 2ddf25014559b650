import type { Account, Holder } from "../../inventory/accounts";
import type { Kind } from "../../inventory/found";
import { isCounted } from "../../inventory/match";
import { everybody } from "../../inventory/match-parts";
import type { Things } from "../../inventory/things";
import { plural } from "../../terminal/plural";
import { type CoverageReport, kindTitles, type Unlisted } from "./report";

/** No installation lists these. */
const never: readonly { readonly what: string; readonly why: string; readonly types: readonly string[] }[] = [
  {
    what: "policies of notebooks, clusters, schedulers and environments",
    why: "the API shows the policy of an object that is named, but does not list objects",
    types: ["ObjectPolicy", "ObjectGrant"],
  },
  {
    what: "folders and their policies",
    why: "the API does not list folders",
    types: ["Folder", "FolderPolicy", "FolderGrant"],
  },
  {
    what: "packages of environments",
    why: "the platform does not distinguish packages that somebody added from those that an environment comes with",
    types: ["PackageSet"],
  },
];

const byKind: readonly (readonly [kind: Kind, ...types: string[]])[] = [
  ["role", "Role"],
  ["group", "Group"],
  ["member", "GroupMembership"],
  ["group-role", "GroupRoles", "GroupRoleAssignment"],
  ["data-store", "DataStore"],
];

export interface Examined {
  readonly account: Account;
  readonly things: Things;
}

/** Everything that the percentage cannot cover, with the number of resources that are about it. */
export function unlistedIn(examined: readonly Examined[], all: readonly Holder[]): Unlisted[] {
  const count = (holders: readonly Holder[], types: readonly string[]) =>
    holders.filter(({ type }) => types.includes(type)).length;
  const own = new Set(examined.map(({ account }) => account.id));
  const otherAccounts = all.filter(({ type, id }) => type === "Account" && !own.has(id));
  return [
    ...examined.flatMap(({ account: { holders }, things: { unlisted } }, account) =>
      byKind.flatMap(([kind, ...types]) => {
        const why = unlisted.get(kind);
        return why === undefined ? [] : [{ what: kindTitles[kind], why, account, declared: count(holders, types) }];
      }),
    ),
    ...never.map(({ what, why, types }) => ({ what, why, declared: count(all, types) })),
    {
      what: "accounts",
      why: "the API shows the token's own account only",
      declared: otherAccounts.length,
    },
  ];
}

/** What is there, but not something that a stack should declare. */
export function notCountedIn(examined: readonly Examined[]): CoverageReport["notCounted"] {
  const disabled = examined.flatMap(({ things }) => things.lists.users ?? []).filter((user) => !isCounted(user)).length;
  const hasGroups = examined.some(({ things }) => things.lists.groups !== undefined);
  const hasRoles = examined.some(({ things }) => things.lists.roles !== undefined);
  const system = [hasGroups ? "groups" : "", hasRoles ? "roles" : ""].filter(Boolean).join(" and ");
  return [
    ...(disabled > 0
      ? [{ what: plural(disabled, "disabled user"), why: "declaring an EnabledUser would enable the user" }]
      : []),
    { what: "users who await approval", why: "declaring an EnabledUser would approve the user" },
    ...(system ? [{ what: `system ${system}`, why: "every account has them, and they cannot be changed" }] : []),
    ...(hasGroups ? [{ what: `members of the group ${everybody}`, why: "the platform adds every user" }] : []),
    { what: "commands and partition sensors", why: "they run once, and leave nothing to manage" },
    { what: "Hive tables", why: "no resource manages them" },
  ];
}
