import { Clients } from "../../../provider/api/clients";
import { type Redactor, redactor } from "../../../provider/core/redact";
import { type Account, type Adopter, accountsOf, type Holder, holdersIn, type Source } from "../../inventory/accounts";
import { type Adoption, type Found, type Kind, kinds, type Thing } from "../../inventory/found";
import { isCounted, match } from "../../inventory/match";
import { everybody } from "../../inventory/match-parts";
import { readThings, type Things } from "../../inventory/things";
import { managedResources, secretsIn } from "../../pulumi/managed";
import { Names } from "../../pulumi/names";
import { maskedSecret as mask } from "../../pulumi/plain";
import { onStack } from "../../pulumi/run";
import { nameOf } from "../../pulumi/stack";
import { plural } from "../../terminal/plural";
import { quoted } from "../../terminal/quote";
import type { StatusLine } from "../../terminal/status-line";
import {
  type AccountCoverage,
  type CoverageReport,
  countOf,
  type KindCount,
  kindTitles,
  sumOf,
  type Unlisted,
  type Unmanaged,
} from "./report";

/** Lists what exists in the accounts of the stacks, and says what of it is in none of them. */
export async function checkCoverage(
  sources: readonly Source[],
  {
    progress,
    tool,
    minimum,
  }: { readonly progress: StatusLine; readonly tool: string; readonly minimum?: number | undefined },
): Promise<CoverageReport> {
  const clients = new Clients();
  try {
    const found = await progress.during("checking accounts", () => accountsOf(sources, clients));
    const examined: Examined[] = [];
    for (const account of found.accounts) examined.push({ account, things: await readThings(account, progress) });
    const all = sources.flatMap(holdersIn);
    const compared = compare(examined, all);
    return {
      format: 1,
      report: "coverage",
      tool,
      checkedAt: new Date().toISOString(),
      stacks: sources.map(({ project, stack, file, state }) => {
        return { project, stack, file, resources: managedResources(state).length };
      }),
      ...compared,
      cannotBeListed: unlistedIn(examined, all),
      notCounted: notCountedIn(examined),
      unread: [...found.unread, ...examined.flatMap(({ things }) => things.unread)],
      notes: [...found.notes, ...compared.notes],
      ...(found.mismatches.length > 0 ? { accountMismatches: [...found.mismatches] } : {}),
      minimum,
    };
  } finally {
    await clients.close();
  }
}

type Compared = Pick<CoverageReport, "accounts" | "summary" | "kinds" | "unmanaged" | "notes">;

function compare(examined: readonly Examined[], all: readonly Holder[]): Compared {
  const accountHolders = all.filter(({ type }) => type === "Account");
  const clean = redactor(...all.flatMap(secretsIn));
  const names = new Names();
  const accounts: AccountCoverage[] = [];
  const unmanaged: Unmanaged[] = [];
  const notes: string[] = [];
  for (const [index, { account, things }] of examined.entries()) {
    const found = match(things, { holders: account.holders, accountHolders });
    const counts = found.map(kindCount);
    const { platform, id, name = things.lists.account?.name, clients, adopter } = account;
    accounts.push({
      platform,
      id,
      name,
      extendedApi: clients.some(({ settings }) => settings.extendedApi),
      ...(adopter.provider === undefined ? {} : { provider: nameOf(adopter.provider) }),
      summary: sumOf(counts),
      kinds: counts,
    });
    for (const { kind, unmanaged: things, notes: own = [] } of found) {
      notes.push(...own.map(clean));
      unmanaged.push(
        ...things.map((thing) => ({ account: index, kind, ...reported(thing, { clean, names, adopter }) })),
      );
    }
  }
  const perKind = kinds.flatMap((kind) => {
    const own = accounts.flatMap((account) => account.kinds.filter((count) => count.kind === kind));
    return own.length > 0 ? [{ kind, ...sumOf(own) }] : [];
  });
  return { accounts, summary: sumOf(perKind), kinds: perKind, unmanaged: sorted(unmanaged), notes };
}

function kindCount({ kind, existing, unmanaged }: Found): KindCount {
  return { kind, ...countOf(existing, existing - unmanaged.length) };
}

interface Reporting {
  readonly clean: Redactor;
  readonly names: Names;
  readonly adopter: Adopter;
}

/** Without anything that a stack keeps secret: the platform may show it elsewhere, such as the name of a group. */
function reported(thing: Thing, { clean, names, adopter }: Reporting): Omit<Unmanaged, "account" | "kind"> {
  const { what, id, note, adopt: wanted } = thing;
  const isSecret = [what, id ?? "", wanted?.id ?? ""].some((text) => clean(text) !== text);
  const shownNote = note === undefined ? {} : { note: clean(note) };
  if (isSecret) return { what: mask, ...shownNote };
  const adopt = wanted && { ...wanted, name: names.of(wanted.name) };
  return {
    what,
    ...(id === undefined ? {} : { id }),
    ...(adopt ? { import: { ...adopt, command: importCommand(adopt, adopter) } } : {}),
    ...shownNote,
  };
}

function importCommand({ type, name, id }: Adoption, { stack, provider }: Adopter): string {
  const through = provider === undefined ? "" : ` --provider ${quoted(`${nameOf(provider)}=${provider}`)}`;
  const what = `dataplatform:index:${type} ${quoted(name)} ${quoted(id)}`;
  return `pulumi import --generate-code=false${through}${onStack(stack)} ${what}`;
}

function sorted(unmanaged: readonly Unmanaged[]): Unmanaged[] {
  const order = new Intl.Collator("en", { numeric: true });
  return unmanaged.toSorted(
    (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.account - b.account || order.compare(a.what, b.what),
  );
}

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
function notCountedIn(examined: readonly Examined[]): CoverageReport["notCounted"] {
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
