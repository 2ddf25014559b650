import type { Id } from "../../provider/values/id";
import { PreparedPolicy } from "../../sdk/prepared-policy";
import { UsageError } from "../errors";
import type { AccountMismatch } from "../platform/accounts";
import { type AccessChange, changesOf } from "./changes";
import type { Directory, User } from "./directory";
import type { Item } from "./items";
import { plannedMembers, unclearMembers } from "./members";
import type { Plan } from "./plan";
import type { PolicyState } from "./policy";
import type { UnnamedGroups } from "./read-directory";
import {
  type AccessReport,
  type ChangeReport,
  countChanges,
  type ObjectReport,
  type PlatformReport,
  type PolicyReport,
} from "./report";
import { actionsOf } from "./target";
import { type Access, accessOf } from "./verdicts";

/** An object or a folder with its policy before and after the plan. */
export interface Examined {
  readonly item: Item;
  readonly before: PolicyState;
  readonly after: PolicyState;
  readonly notes: readonly string[];
}

/** The objects that are read with one token, and who could have access to them. */
export interface Account {
  readonly address: string;
  readonly directory: Directory;
  readonly notes: readonly string[];
  readonly unnamedGroups?: UnnamedGroups;
  readonly examined: readonly Examined[];
}

interface About {
  readonly project: string;
  readonly stack: string;
  readonly plan?: Plan | undefined;
  readonly users?: readonly string[] | undefined;
}

interface Read {
  readonly tool: string;
  readonly notes: readonly string[];
  /** Those of the notes that leave open what the plan changes. */
  readonly unclear?: readonly string[];
  readonly accounts: readonly Account[];
  readonly mismatches?: readonly AccountMismatch[];
}

/** Judges every user on every object. Does not read anything. */
export function reportOf({ project, stack, plan, users }: About, read: Read): AccessReport {
  const { tool, accounts, mismatches = [] } = read;
  // With a token of another account, nobody knows which users there are.
  const isWanted = users && wantedUsers(users, mismatches.length > 0 ? [] : accounts);
  const judged = accounts.map((account, index) => judge(account, index, plan, isWanted));
  const objects = judged.flatMap((one) => one.objects);
  const changes = plan && judged.flatMap((one) => one.changes);
  const examined = new Set(accounts.flatMap((account) => account.examined.map(({ item }) => item.provider)));
  const elsewhere = plan ? unclearMembers(plan.steps, ({ provider }) => !examined.has(provider)) : [];
  const notes = [...read.notes, ...elsewhere];
  const unclear = new Set([...(read.unclear ?? []), ...elsewhere, ...judged.flatMap((one) => one.unclear)]);
  return {
    format: 1,
    tool,
    project,
    stack,
    checkedAt: new Date().toISOString(),
    platforms: judged.map(({ platform }) => platform),
    ...(mismatches.length > 0 ? { accountMismatches: mismatches } : {}),
    summary: {
      objects: objects.length,
      users: judged.reduce((sum, { platform }) => sum + platform.users.length, 0),
      unreadable: judged.reduce((sum, { unreadable }) => sum + unreadable, 0),
      ...(changes ? { changes: countChanges(changes, unclear.size) } : {}),
    },
    objects,
    ...(changes ? { changes } : {}),
    notes,
  };
}

type IsWanted = (user: User) => boolean;

function wantedUsers(users: readonly string[], accounts: readonly Account[]): IsWanted {
  const isWanted: IsWanted = ({ id, email }) =>
    users.some((one) => one === String(id) || one.toLowerCase() === email?.toLowerCase());
  if (accounts.length === 0 || accounts.some(({ directory }) => directory.users.some(isWanted))) return isWanted;
  throw new UsageError(
    `--user ${users.join(", ")}: the platform lists no such user, and no policy names one; use the id or the e-mail address that getUsers returns`,
  );
}

interface Judged {
  readonly platform: PlatformReport;
  readonly objects: readonly ObjectReport[];
  readonly changes: readonly ChangeReport[];
  readonly unclear: readonly string[];
  readonly unreadable: number;
}

function judge(account: Account, platform: number, plan: Plan | undefined, isWanted: IsWanted | undefined): Judged {
  const { examined, address } = account;
  const only = (all: Directory) => (isWanted ? all.only(isWanted) : all);
  const providers = new Set(examined.map(({ item }) => item.provider));
  const members = plan ? plannedMembers(plan, providers, account.directory) : { changes: [], unclear: [] };
  const directory = only(account.directory);
  const later = members.changes.length > 0 ? only(account.directory.changed(members.changes)) : directory;
  const withGroups = !isWanted;
  const changedGroups = new Set(members.changes.map(({ group }) => group));
  const results = examined.map((one) => judgeObject(one, platform, { directory, later, changedGroups, withGroups }));
  return {
    platform: {
      ...platformOf(address, directory, [...account.notes, ...members.unclear]),
      ...(account.unnamedGroups ? { unnamedGroups: account.unnamedGroups } : {}),
    },
    objects: results.map(({ object }) => object),
    changes: results.flatMap(({ changes }) => changes),
    unclear: members.unclear,
    unreadable: results.filter(({ object: { unknown, after } }, index) => {
      const { before } = examined[index]!;
      return unknown !== undefined && !("isExpected" in before) && after === undefined;
    }).length,
  };
}

interface Directories {
  readonly directory: Directory;
  /** After the plan. */
  readonly later: Directory;
  readonly changedGroups: ReadonlySet<Id>;
  readonly withGroups: boolean;
}

function judgeObject(
  { item, before, after, notes }: Examined,
  platform: number,
  { directory, later, changedGroups, withGroups }: Directories,
): { readonly object: ObjectReport; readonly changes: readonly ChangeReport[] } {
  const { kind, key } = item.target;
  const actions = actionsOf[kind];
  const written = item.steps.flatMap((step) => step.after ?? []);
  const now = preparedOf(before);
  const next = after === before ? now : preparedOf(after);
  const groups = withGroups ? [...new Set([...(now?.groupIds ?? []), ...(next?.groupIds ?? [])])] : [];
  const access = now && accessOf(now, directory, actions, groups);
  const isChanged = after !== before || (next?.groupIds.some((group) => changedGroups.has(group)) ?? false);
  const accessAfter = isChanged && next ? accessOf(next, later, actions, groups) : undefined;
  const where = { platform, kind, object: key };
  const isOpen = changedGroups.size > 0 && "unknown" in after;
  const found = isChanged || isOpen ? changes(before, access, after, accessAfter, actions) : [];
  return {
    object: {
      ...where,
      actions,
      resources: [...new Set([...item.declared, ...written].map(({ urn }) => urn))],
      ...policyReport(before, access),
      notes,
      ...(isChanged ? { after: policyReport(after, accessAfter) } : {}),
    },
    changes: found.map((change) => ({ ...where, ...changeReport(change, directory) })),
  };
}

function preparedOf(policy: PolicyState): PreparedPolicy | undefined {
  return "elements" in policy ? new PreparedPolicy(policy.elements) : undefined;
}

type Found = AccessChange | { readonly change: "unknown"; readonly reason: string };

function changes(
  before: PolicyState,
  access: Access | undefined,
  after: PolicyState,
  accessAfter: Access | undefined,
  actions: readonly string[],
): readonly Found[] {
  if ("unknown" in after) return [{ change: "unknown", reason: after.unknown }];
  if (!accessAfter) return [];
  const unknown = "unknown" in before ? before.unknown : "";
  return changesOf(access ?? { verdict: "unknown", reason: unknown }, accessAfter, actions);
}

function changeReport(found: Found, { users }: Directory): Omit<ChangeReport, "platform" | "kind" | "object"> {
  if (found.change === "unknown") return { ...found, users: [], groups: [] };
  return { ...found, users: found.users.map((index) => users[index]!.id) };
}

function policyReport(policy: PolicyState, access: Access | undefined): PolicyReport {
  if ("unknown" in policy) return { unknown: policy.unknown, access: [] };
  const rows = (access?.classes ?? []).filter(({ users, groups }) => users.length + groups.length > 0);
  return { from: policy.from, policy: policy.elements, access: rows };
}

function platformOf(address: string, directory: Directory, notes: readonly string[]): PlatformReport {
  return {
    address,
    users: directory.users.map(({ id, email, name, disabled, isPending, isListed }) => ({
      id,
      ...(email === undefined ? {} : { email }),
      ...(name === undefined || name === "" ? {} : { name }),
      ...(disabled ? { disabled } : {}),
      ...(isPending ? { pending: true } : {}),
      groups: directory.groupsOf(id),
      groupsKnown: directory.knowsGroupsOf(id),
      listed: isListed,
    })),
    groups: directory.groups.map(({ id, name }) => ({ id, ...(name === undefined ? {} : { name }) })),
    notes: [...new Set(notes)],
  };
}
