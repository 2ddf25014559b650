import { isSystemGroup } from "../../provider/platform/groups";
import { Directory, type Named, spelled } from "../../provider/platform/references";
import { systemRoles } from "../../provider/platform/roles";
import type { Id } from "../../provider/values/id";
import type { Entry } from "../platform/lists";
import type { Holder } from "./accounts";
import { entryOf, type Found, labelOf, stackOf, type Thing } from "./found";
import type { GroupParts, Things } from "./things";

/** Every user is in it, without anybody's doing. */
export const everybody = "everyone";

/** A list of a resource, about one group. */
interface Declared {
  readonly holder: Holder;
  readonly references: readonly Id[];
  /** The next `up` removes what is not listed. */
  readonly isWhole: boolean;
}

interface PartKind {
  readonly kind: "member" | "group-role";
  readonly property: "members" | "roles";
  readonly directory: Directory;
  readonly declaredIn: (holder: Holder, isOf: (group: unknown) => boolean) => Omit<Declared, "holder"> | undefined;
  readonly isCounted: (one: Named, group: Named) => boolean;
  readonly adopt: (one: Named, group: Named) => Pick<Thing, "adopt" | "note">;
}

/** The members and roles of groups, which several types declare, by ids or by names. */
export function matchParts({ lists, groups = [] }: Things, holders: readonly Holder[]): Found[] {
  const users = (lists.users ?? []).map(({ id, email }) => ({ id, name: email }));
  const roles = (lists.roles ?? []).map(({ id, name }) => ({ id, name }));
  const entries = lists.groups ?? [];
  return [
    matchPart(membersOf(new Directory(users, (email) => email.toLowerCase())), groups, entries, holders),
    matchPart(rolesOf(new Directory(roles)), groups, entries, holders),
  ].filter((found) => found !== undefined);
}

function membersOf(directory: Directory): PartKind {
  return {
    kind: "member",
    property: "members",
    directory,
    declaredIn({ type, state }, isOf) {
      if (type === "Group" && Array.isArray(state["members"]))
        return { references: idsIn(state["members"]), isWhole: true };
      if (type === "GroupMembership" && isOf(state["group"]))
        return { references: idsIn(state["users"]), isWhole: false };
      return undefined;
    },
    isCounted: (_, group) => group.name !== everybody,
    adopt: (_, group) => ({
      adopt: { type: "GroupMembership", name: `members-${spelled(group)}`, id: spelled(group) },
      note: "list in users all members that the program should manage",
    }),
  };
}

function rolesOf(directory: Directory): PartKind {
  return {
    kind: "group-role",
    property: "roles",
    directory,
    declaredIn({ type, state }, isOf) {
      if (type === "Group" && Array.isArray(state["roles"]))
        return { references: idsIn(state["roles"]), isWhole: true };
      if (type === "GroupRoles" && isOf(state["groupId"]))
        return { references: idsIn(state["roles"]), isWhole: state["exclusive"] === true };
      if (type === "GroupRoleAssignment" && isOf(state["groupId"]))
        return { references: idsIn([state["role"]]), isWhole: false };
      return undefined;
    },
    // A system group has its own role without any assignment.
    isCounted: ({ name = "" }, group) => !(name === group.name && systemRoles.includes(name)),
    adopt: (one, group) => {
      const id = `${group.id ?? group.name}/${spelled(one)}`;
      return { adopt: { type: "GroupRoleAssignment", name: `role-${spelled(one)}-${spelled(group)}`, id } };
    },
  };
}

/** Undefined if nothing shows them for any group. */
function matchPart(
  part: PartKind,
  groups: readonly GroupParts[],
  entries: readonly Entry[],
  holders: readonly Holder[],
): Found | undefined {
  const names = new Directory(entries.map(({ id, name }) => ({ id, name })));
  const unmanaged: Thing[] = [];
  const notes: string[] = [];
  let existing = 0;
  let isShown = groups.length === 0;
  for (const { group, [part.property]: shown } of groups) {
    if (typeof shown === "string") continue;
    isShown = true;
    const counted = shown.map((one) => part.directory.completed(one)).filter((one) => part.isCounted(one, group));
    const owner = holders.find((holder) => holder.type === "Group" && isOf(holder, group, entries));
    const isGroup = names.among([group]);
    const declared = declaredOf(part, holders, owner, (reference) => isGroup(names.of(reference)));
    const { others, isSure } = part.directory.compare(
      declared.flatMap(({ references }) => references),
      counted,
    );
    if (!isSure) {
      notes.push(
        `the ${part.property} of group ${spelled(group)} are not counted: the stacks name some by an id and the platform by a name, or the other way round`,
      );
      continue;
    }
    existing += counted.length;
    for (const one of others) unmanaged.push(thingOf(part, one, group, { declared, owner, entries }));
  }
  return isShown ? { kind: part.kind, existing, unmanaged, notes } : undefined;
}

function isOf(holder: Holder, group: Named, entries: readonly Entry[]): boolean {
  const entry = entryOf(holder, entries);
  return entry !== undefined && String(entry.id) === String(group.id);
}

function declaredOf(
  part: PartKind,
  holders: readonly Holder[],
  owner: Holder | undefined,
  isGroup: (reference: Id) => boolean,
): Declared[] {
  const isMeant = (reference: unknown) =>
    (typeof reference === "string" || typeof reference === "number") && isGroup(reference);
  return holders.flatMap((holder) => {
    if (holder.type === "Group" && holder !== owner) return [];
    const found = part.declaredIn(holder, isMeant);
    return found ? [{ holder, ...found }] : [];
  });
}

interface Around {
  readonly declared: readonly Declared[];
  readonly owner: Holder | undefined;
  readonly entries: readonly Entry[];
}

/** A list that is complete would remove it, and the import of a group takes its members and roles along. */
function thingOf(part: PartKind, one: Named, group: Named, { declared, owner, entries }: Around): Thing {
  const id = part.kind === "member" ? String(group.id ?? group.name) : `${group.id ?? group.name}/${spelled(one)}`;
  const what = `${spelled(one)} ${part.kind === "member" ? "in" : "of"} ${spelled(group)}`;
  const thing = { what, id, part: { group, one } };
  const whole = declared.find(({ isWhole }) => isWhole)?.holder;
  if (whole)
    return {
      ...thing,
      note: `the next "pulumi up" of ${stackOf(whole)} removes it; to keep it, add it to the ${part.property} of ${labelOf(whole)}`,
    };
  const list = declared.find(({ holder }) => holder.type !== "GroupRoleAssignment")?.holder;
  if (list) return { ...thing, note: `add it to ${labelOf(list)} of ${stackOf(list)}` };
  const entry = entries.find((candidate) => String(candidate.id) === String(group.id));
  const isSystem = isSystemGroup(entry ?? {});
  if (!owner && !isSystem)
    return { ...thing, comesAlong: true, note: `comes with the import of group ${spelled(group)}` };
  return { ...thing, ...part.adopt(one, group) };
}

function idsIn(value: unknown): Id[] {
  return Array.isArray(value)
    ? value.filter((one): one is Id => typeof one === "string" || typeof one === "number")
    : [];
}
