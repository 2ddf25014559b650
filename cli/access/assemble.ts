import type { Id } from "../../provider/values/id";
import { PreparedPolicy } from "../../sdk/prepared-policy";
import { UsageError } from "../errors";
import type { AccountMismatch } from "../platform/accounts";
import { afterChanges, type User } from "./directory";
import { plannedMembers, unclearMembers } from "./members";
import type { Plan } from "./plan";
import type { PolicyState } from "./policy";
import type { ReadDirectory } from "./read-directory";
import { type AccessReport, type ChangeReport, countChanges, type ObjectReport, type PolicyReport } from "./report";
import { actionsOf, type Item } from "./target";
import { type AccessRow, accessOf, changesOf } from "./verdicts";

/** An object or a folder with its policy before and after the plan. */
export interface Examined {
  readonly item: Item;
  readonly before: PolicyState;
  readonly after: PolicyState;
  readonly notes: readonly string[];
}

/** The objects that are read with one token, and who could have access to them. */
export interface Account extends ReadDirectory {
  readonly address: string;
  readonly examined: readonly Examined[];
}

interface About {
  readonly project: string;
  readonly stack: string;
  readonly plan?: Plan | undefined;
  readonly users?: readonly string[];
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
export function reportOf({ project, stack, plan, users = [] }: About, read: Read): AccessReport {
  const { tool, accounts, mismatches = [] } = read;
  // With a token of another account, nobody knows which users there are.
  const isWanted = users.length > 0 ? wantedUsers(users, mismatches.length > 0 ? [] : accounts) : undefined;
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

function judge(account: Account, platform: number, plan: Plan | undefined, isWanted: IsWanted | undefined) {
  const { examined, address, directory, unnamedGroups } = account;
  const only = (all: readonly User[]) => (isWanted ? all.filter(isWanted) : all);
  const providers = new Set(examined.map(({ item }) => item.provider));
  const members = plan ? plannedMembers(plan, providers, directory) : { changes: [], unclear: [] };
  const users = only(directory.users);
  const people = {
    users,
    usersAfter: members.changes.length > 0 ? only(afterChanges(directory.users, members.changes)) : users,
    changedGroups: new Set(members.changes.map(({ group }) => group)),
    withGroups: !isWanted,
  };
  const results = examined.map((one) => judgeObject(one, platform, people));
  return {
    platform: {
      address,
      users: users.map(({ decided: _, ...user }) => user),
      groups: directory.groups,
      notes: [...new Set([...account.notes, ...members.unclear])],
      ...(unnamedGroups ? { unnamedGroups } : {}),
    },
    objects: results.map(({ object }) => object),
    changes: results.flatMap(({ changes }) => changes),
    unclear: members.unclear,
    unreadable: examined.filter(({ before }, index) => {
      const { after } = results[index]!.object;
      return "unknown" in before && !before.isExpected && after === undefined;
    }).length,
  };
}

interface People {
  readonly users: readonly User[];
  /** After the plan. */
  readonly usersAfter: readonly User[];
  readonly changedGroups: ReadonlySet<Id>;
  readonly withGroups: boolean;
}

function judgeObject(
  { item, before, after, notes }: Examined,
  platform: number,
  { users, usersAfter, changedGroups, withGroups }: People,
): { readonly object: ObjectReport; readonly changes: readonly ChangeReport[] } {
  const { kind, key } = item.target;
  const actions = actionsOf[kind];
  const written = item.steps.flatMap((step) => step.after ?? []);
  const now = preparedOf(before);
  const next = after === before ? now : preparedOf(after);
  const groups = withGroups ? [...new Set([...(now?.groupIds ?? []), ...(next?.groupIds ?? [])])] : [];
  const access = now ? accessOf(now, users, actions, groups) : [];
  const isChanged = after !== before || (next?.groupIds.some((group) => changedGroups.has(group)) ?? false);
  const accessAfter = isChanged && next ? accessOf(next, usersAfter, actions, groups) : [];
  const was = "unknown" in before ? { verdict: "unknown" as const, reason: before.unknown } : access;
  const changes =
    "unknown" in after
      ? isChanged || changedGroups.size > 0
        ? [{ change: "unknown" as const, reason: after.unknown, users: [], groups: [] }]
        : []
      : changesOf(was, accessAfter, actions);
  const where = { platform, kind, object: key };
  return {
    object: {
      ...where,
      actions,
      resources: [...new Set([...item.declared, ...written].map(({ urn }) => urn))],
      ...policyReport(before, access),
      notes,
      ...(isChanged ? { after: policyReport(after, accessAfter) } : {}),
    },
    changes: changes.map((change) => ({ ...where, ...change })),
  };
}

function preparedOf(policy: PolicyState): PreparedPolicy | undefined {
  return "elements" in policy ? new PreparedPolicy(policy.elements) : undefined;
}

function policyReport(policy: PolicyState, access: readonly AccessRow[]): PolicyReport {
  if ("unknown" in policy) return { unknown: policy.unknown, access };
  return { from: policy.from, policy: policy.elements, access };
}
