import { containsUnknown } from "../../provider/core/unknowns";
import { asNumber, type Id } from "../../provider/values/id";
import type { Managed } from "../pulumi/managed";
import type { Directory, MemberChange } from "./directory";
import type { Plan } from "./plan";

export interface PlannedMembers {
  readonly changes: readonly MemberChange[];
  /** What the plan changes, but does not show. */
  readonly notes: readonly string[];
}

/** What a plan changes about the members of groups, through these providers: ids of other accounts mean others. */
export function plannedMembers(
  plan: Plan,
  providers: ReadonlySet<string | undefined>,
  directory: Directory,
): PlannedMembers {
  const isOurs = ({ provider }: Managed) => providers.has(provider);
  const [written, updated] = [plan.written.filter(isOurs), plan.updated.filter(isOurs)];
  const deleted = plan.deleted.filter(({ resource }) => isOurs(resource));
  const notes: string[] = [];
  const names = new Names(directory);
  const removed = deleted.filter(({ isRetained }) => !isRetained).map(({ resource }) => resource);
  // A plan does not show the id of a resource that it updates.
  const planned = written.map((resource) => ({ ...resource, id: resource.id || idBefore(resource, updated) }));
  const after = planned.flatMap((resource) => membersIn(resource, names, notes));
  // A group that is managed with its members loses the others. Without the list, they are left alone.
  const managedWhole = planned.filter(({ type, state }) => type === "Group" && Array.isArray(state["members"]));
  const single = updated.filter(({ type }) => type === "GroupMembership");
  const before = [
    ...[...single, ...removed].flatMap((resource) => membersIn(resource, names, [])),
    ...[...managedWhole, ...removed].flatMap((resource) => membersOf(resource, names, directory)),
  ];
  const declared = new Set(after.map(keyOf));
  return {
    // What the plan declares elsewhere is not removed.
    changes: [
      ...before.filter((pair) => !declared.has(keyOf(pair))).map((pair) => ({ ...pair, isMember: false })),
      ...after.map((pair) => ({ ...pair, isMember: true })),
    ],
    notes,
  };
}

function idBefore({ urn, type, name }: Managed, updated: readonly Managed[]): string {
  const found = updated.find((old) => old.urn === urn) ?? updated.find((old) => old.type === type && old.name === name);
  return found?.id ?? "";
}

/** The members of a `Group`, whoever has added them. */
function membersOf({ type, id }: Managed, names: Names, directory: Directory): Pair[] {
  const group = type === "Group" && id !== "" ? names.group(id) : undefined;
  if (group === undefined) return [];
  return directory.users
    .filter((user) => directory.groupsOf(user.id).includes(group as number))
    .map((user) => ({ user: user.id, group }));
}

interface Pair {
  readonly user: Id;
  readonly group: Id;
}

function keyOf({ user, group }: Pair): string {
  return JSON.stringify([user, group]);
}

function membersIn(resource: Managed, names: Names, notes: string[]): Pair[] {
  const { type, state, name, id } = resource;
  if (type !== "GroupMembership" && type !== "Group") return [];
  const users = type === "Group" ? state["members"] : state["users"];
  const group = type === "Group" ? id : state["group"];
  if (users === undefined) return [];
  if (containsUnknown([users, group]) || !Array.isArray(users)) {
    notes.push(`${type} ${name} changes the members of a group: which ones is known only after up`);
    return [];
  }
  const groupId = names.group(group as Id);
  // A group that does not exist yet is in no policy whose ids are known.
  if (groupId === undefined) return [];
  return (users as Id[]).flatMap((user) => {
    const userId = names.user(user);
    if (userId === undefined) notes.push(`${type} ${name} names user ${user}, who is not in the list of users`);
    return userId === undefined ? [] : [{ user: userId, group: groupId }];
  });
}

/** Programs name users by id or e-mail address, and groups by id or name. */
class Names {
  readonly #users = new Map<string, Id>();
  readonly #groups = new Map<string, Id>();

  constructor({ users, groups }: Directory) {
    for (const { id, email } of users) if (email) this.#users.set(email.toLowerCase(), id);
    for (const { id, name } of groups) if (name) this.#groups.set(name, id);
    for (const { id } of users) this.#users.set(String(id), id);
    for (const { id } of groups) this.#groups.set(String(id), id);
  }

  user(reference: Id): Id | undefined {
    return this.#users.get(String(reference).toLowerCase());
  }

  group(reference: Id): Id | undefined {
    return this.#groups.get(String(reference)) ?? (/^\d+$/.test(String(reference)) ? asNumber(reference) : undefined);
  }
}
