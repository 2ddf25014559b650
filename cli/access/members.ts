import { containsUnknown } from "../../provider/core/engine-values";
import { asNumber, type Id } from "../../provider/values/id";
import type { Managed } from "../pulumi/managed";
import type { Directory, MemberChange } from "./directory";
import { newGroupsIn, type Plan, resourceIn, type Step } from "./plan";
import { containsMask } from "./policy";

export interface PlannedMembers {
  readonly changes: readonly MemberChange[];
  /** What the plan changes, but does not show: somebody may gain something by it. */
  readonly unclear: readonly string[];
}

/** What a plan changes about the members of groups, through these providers: ids of other accounts mean others. */
export function plannedMembers(
  { steps }: Plan,
  providers: ReadonlySet<string | undefined>,
  directory: Directory,
): PlannedMembers {
  const isOurs = ({ provider }: Managed) => providers.has(provider);
  const own = steps.filter((step) => isOurs(resourceIn(step)));
  const names = new Names(directory);
  const joining = own.flatMap(({ after }) => (after ? membersIn(after, names) : []));
  const leaving = own.flatMap(({ before, after }) => {
    if (!after) return [...membersIn(before!, names), ...membersOf(before!, names, directory)];
    // A group that is managed with its members loses the others. Without the list, they are left alone.
    if (after.type === "Group") return after.state["members"] ? membersOf(after, names, directory) : [];
    return before && hidden(after) === undefined ? membersIn(before, names) : [];
  });
  const declared = new Set(joining.map(keyOf));
  return {
    // What the plan declares elsewhere is not removed.
    changes: [
      ...leaving.filter((pair) => !declared.has(keyOf(pair))).map((pair) => ({ ...pair, isMember: false })),
      ...joining.map((pair) => ({ ...pair, isMember: true })),
    ],
    unclear: [...unclearMembers(steps, isOurs), ...own.flatMap((step) => strangers(step, names, steps))],
  };
}

/** The members that a plan changes, but does not show. Who leaves a group may gain what was denied to it. */
export function unclearMembers(steps: Plan["steps"], isOurs: (resource: Managed) => boolean): string[] {
  const notes = steps
    .filter((step) => isOurs(resourceIn(step)))
    .flatMap((step) =>
      [step.after, step.before].flatMap((resource) => {
        const why = resource && !isOfNewGroup(resource, step, steps) ? hidden(resource) : undefined;
        return why && resource ? [`${resource.type} ${resource.name} changes the members of a group: ${why}`] : [];
      }),
    );
  return [...new Set(notes)];
}

/** A group that does not exist yet is in no policy whose ids are known. */
function isOfNewGroup({ type, state: { group } }: Managed, step: Step, steps: Plan["steps"]): boolean {
  if (type === "Group") return !step.before;
  if (containsUnknown(group)) return newGroupsIn(step, "group", steps).length > 0;
  const created = steps.filter(({ before, after }) => after?.type === "Group" && !before);
  return !containsMask(group) && created.some(({ after }) => after!.state["name"] === group);
}

interface Membership {
  readonly users: unknown;
  readonly group: unknown;
  readonly isSecret: boolean;
}

/** What a resource says about the members of a group; undefined if it says nothing. */
function membershipOf({ type, state, id, secretNames }: Managed): Membership | undefined {
  if (type !== "GroupMembership" && type !== "Group") return undefined;
  const [users, group] = type === "Group" ? [state["members"], id] : [state["users"], state["group"]];
  if (users === undefined) return undefined;
  const names = type === "Group" ? ["members"] : ["users", "group"];
  return { users, group, isSecret: names.some((name) => secretNames.has(name)) || containsMask([users, group]) };
}

function hidden(resource: Managed): string | undefined {
  const found = membershipOf(resource);
  if (!found) return undefined;
  if (found.isSecret) return "the program marks which ones as a secret";
  const isUnknown = containsUnknown([found.users, found.group]) || !Array.isArray(found.users);
  return isUnknown ? "which ones is known only after up" : undefined;
}

/** Users and groups that the plan names, but the platform does not list. */
function strangers(step: Step, names: Names, steps: Plan["steps"]): string[] {
  const found = step.after && membershipOf(step.after);
  if (!found || hidden(step.after) !== undefined || isOfNewGroup(step.after, step, steps)) return [];
  const { type, name } = step.after;
  if (type !== "Group" && names.group(found.group as Id) === undefined)
    return [`${type} ${name} names group ${String(found.group)}, which is not in the list of groups`];
  return (found.users as Id[])
    .filter((user) => names.user(user) === undefined)
    .map((user) => `${type} ${name} names user ${user}, who is not in the list of users`);
}

/** The members of a `Group`, whoever has added them. */
function membersOf(resource: Managed, names: Names, directory: Directory): Pair[] {
  const { type, id } = resource;
  const group = type === "Group" && id !== "" && !hidden(resource) ? names.group(id) : undefined;
  if (group === undefined) return [];
  return directory.users.filter(({ groups }) => groups.includes(group)).map((user) => ({ user: user.id, group }));
}

interface Pair {
  readonly user: Id;
  readonly group: Id;
}

function keyOf({ user, group }: Pair): string {
  return JSON.stringify([user, group]);
}

function membersIn(resource: Managed, names: Names): Pair[] {
  const found = membershipOf(resource);
  const group = found && hidden(resource) === undefined ? names.group(found.group as Id) : undefined;
  if (!found || group === undefined) return [];
  return (found.users as Id[]).flatMap((reference) => {
    const user = names.user(reference);
    return user === undefined ? [] : [{ user, group }];
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
