import { Directory as References } from "../../provider/platform/references";
import { asNumber, type Id } from "../../provider/values/id";
import type { Managed } from "../pulumi/managed";
import type { Directory, MemberChange } from "./directory";
import { newGroupsIn, type Plan, resourceIn, type Step } from "./plan";
import { whyHidden } from "./policy";

/** What a plan changes about the members of groups, through these providers: ids of other accounts mean others. */
export function plannedMembers(
  { steps }: Plan,
  providers: ReadonlySet<string | undefined>,
  directory: Directory,
): { readonly changes: readonly MemberChange[]; readonly unclear: readonly string[] } {
  const isOurs = ({ provider }: Managed) => providers.has(provider);
  const own = steps.filter((step) => isOurs(resourceIn(step)));
  const names = namesIn(directory);
  const joining = own.flatMap(({ after }) => (after ? membersIn(after, names) : []));
  const leaving = own.flatMap(({ before, after }) => {
    if (!after) return [...membersIn(before!, names), ...membersOf(before!, names, directory)];
    // A group that is managed with its members loses the others. Without the list, they are left alone.
    if (after.type === "Group") return after.state["members"] ? membersOf(after, names, directory) : [];
    return before && !membershipOf(after)?.unknown ? membersIn(before, names) : [];
  });
  const declared = new Set(joining.map(keyOf));
  return {
    // What the plan declares elsewhere is not removed.
    changes: [
      ...leaving.filter((pair) => !declared.has(keyOf(pair))).map((pair) => ({ ...pair, isMember: false })),
      ...joining.map((pair) => ({ ...pair, isMember: true })),
    ],
    unclear: unclearMembers(steps, isOurs, names),
  };
}

/**
 * The members that a plan changes, but does not show: who leaves a group may gain what was denied to it. With `names`,
 * also the users and groups that it names, but the platform does not list.
 */
export function unclearMembers(steps: Plan["steps"], isOurs: (resource: Managed) => boolean, names?: Names): string[] {
  const notes = steps
    .filter((step) => isOurs(resourceIn(step)))
    .flatMap((step) =>
      [step.after, step.before].flatMap((resource) => {
        const found = resource && membershipOf(resource);
        if (!found || isOfNewGroup(resource, step, steps)) return [];
        const what = `${resource.type} ${resource.name}`;
        if (found.unknown) return [`${what} changes the members of a group: ${found.unknown}`];
        if (!names || resource !== step.after) return [];
        if (resource.type !== "Group" && names.group(found.group) === undefined)
          return [`${what} names group ${found.group}, which is not in the list of groups`];
        return found.users
          .filter((user) => names.user(user) === undefined)
          .map((user) => `${what} names user ${user}, who is not in the list of users`);
      }),
    );
  return [...new Set(notes)];
}

/** A group that does not exist yet is in no policy whose ids are known. */
function isOfNewGroup(resource: Managed, step: Step, steps: Plan["steps"]): boolean {
  if (resource.type === "Group") return !step.before;
  const { group } = resource.state;
  const hidden = whyHidden(resource, ["group"]);
  if (hidden) return hidden === "after up" && newGroupsIn(step, "group", steps).length > 0;
  return steps.some(({ before, after }) => after?.type === "Group" && !before && after.state["name"] === group);
}

interface Membership {
  readonly users: readonly Id[];
  readonly group: Id;
  /** Why nothing is known about the users. */
  readonly unknown?: string;
}

/** What a resource says about the members of a group; undefined if it says nothing. */
function membershipOf(resource: Managed): Membership | undefined {
  const { type, state, id } = resource;
  if (type !== "GroupMembership" && type !== "Group") return undefined;
  const users = state[type === "Group" ? "members" : "users"];
  if (users === undefined) return undefined;
  const group = type === "Group" ? id : (state["group"] as Id);
  const hidden = whyHidden(resource, type === "Group" ? ["members"] : ["users", "group"]);
  if (!hidden && Array.isArray(users)) return { users, group };
  const marked = "the program marks which ones as a secret";
  return { users: [], group, unknown: hidden === "secret" ? marked : "which ones is known only after up" };
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
  const group = found && names.group(found.group);
  return (found?.users ?? []).flatMap((reference) => {
    const user = names.user(reference);
    return user === undefined || group === undefined ? [] : [{ user, group }];
  });
}

/** The members of a `Group`, whoever has added them. */
function membersOf(resource: Managed, names: Names, { users }: Directory): Pair[] {
  const { type, id } = resource;
  const group = type === "Group" && id !== "" && !membershipOf(resource)?.unknown ? names.group(id) : undefined;
  if (group === undefined) return [];
  return users.filter(({ groups }) => groups.includes(group)).map((user) => ({ user: user.id, group }));
}

type Names = ReturnType<typeof namesIn>;

/** Programs name users by id or e-mail address, and groups by id or name. A group's id may be one that nobody lists. */
function namesIn({ users, groups }: Directory) {
  const byEmail = new Map(users.map(({ id, email }) => [email?.toLowerCase(), id]));
  const byId = new Map(users.map(({ id }) => [String(id), id]));
  const known = new References(groups);
  return {
    user: (reference: Id) => byId.get(String(reference)) ?? byEmail.get(String(reference).toLowerCase()),
    group: (reference: Id) => {
      const { id } = known.of(reference);
      return id === undefined ? undefined : asNumber(id);
    },
  };
}
