import { PlatformError } from "../api/errors";
import type { Context } from "../core/define";
import type { Id } from "../values/id";
import { groupRoles } from "./group-parts";
import { groupRoleKey, keysFor, namesOfGroup } from "./groups";
import { Directory, type Named, spelled } from "./references";
import { systemRoles } from "./roles";

/** The roles of one group, as far as the platform shows them. */
export interface RoleView {
  readonly group: Named;
  /** Undefined if nothing shows them. */
  readonly shown: readonly Named[] | undefined;
  readonly directory: Directory;
}

/** What a resource declares of them. */
export interface DeclaredRoles {
  readonly roles: readonly string[];
  readonly exclusive?: boolean | undefined;
  readonly adopt?: boolean | undefined;
}

/** What it declared before. */
export interface KnownRoles {
  readonly roles: readonly string[];
  readonly alreadyAssigned?: readonly string[] | undefined;
}

/** `roles`: those to compare with what the group has. */
export type Look = (context: Context, groupId: Id, roles: readonly string[]) => Promise<RoleView | "gone">;

/** Without the extended API. */
export const withoutLooking: Look = async (_, groupId) => ({
  group: { id: groupId },
  shown: undefined,
  directory: new Directory([]),
});

export const lookAtRoles: Look = async (context, groupId, roles) => {
  // First, because a path needs the id, and the program may name the group.
  const group = (await namesOfGroup(context, groupId)) ?? { id: groupId };
  const shown = await groupRoles.read(context, group);
  if (shown === "gone") return "gone";
  const { directory } = await groupRoles.directory(context, roles);
  // A name cannot be compared with ids that nothing shows the names of.
  const isSure = shown !== "unknown" && directory.compare(roles, shown).isSure;
  return { group, shown: isSure ? shown : undefined, directory };
};

export function has({ directory, shown }: RoleView, role: string): boolean {
  return (shown ?? []).some((one) => directory.isSame(directory.of(role), one));
}

/** Roles that are not listed. A system group keeps its own role: it has that without any assignment. */
export function othersIn({ directory, shown = [], group }: RoleView, roles: readonly string[]): Named[] {
  const { others } = directory.compare(roles, shown);
  return others.filter(({ name = "" }) => !(name === group.name && systemRoles.includes(name)));
}

/** What the resource itself has assigned, or may have. */
export function ownRoles({ roles, alreadyAssigned = [] }: KnownRoles): string[] {
  return roles.filter((role) => !alreadyAssigned.includes(role));
}

export interface RolePlan {
  readonly assign: readonly string[];
  readonly unassign: readonly Named[];
}

/** `redo`: nobody knows whether the last change was carried out. */
export function planOf(
  view: RoleView,
  { roles, exclusive }: DeclaredRoles,
  old: KnownRoles = { roles: [] },
  redo = false,
): RolePlan {
  const { directory, shown } = view;
  const own = ownRoles(old);
  if (shown)
    return {
      assign: roles.filter((role) => !has(view, role)),
      unassign: othersIn(view, roles).filter((one) => exclusive || directory.includes(own, one)),
    };
  // What the group has is not assigned again: some platforms refuse that, or count it twice.
  const isNew = (role: string) => !directory.includes(old.roles, directory.of(role));
  return {
    assign: roles.filter((role) => redo || isNew(role)),
    unassign: own.map((role) => directory.of(role)).filter((one) => !directory.includes(roles, one)),
  };
}

/** Those of the declared roles that others have assigned, so that destroy leaves them. Undefined if nothing shows it. */
export function assignedByOthers(
  { run }: Context,
  view: RoleView,
  { roles, exclusive, adopt }: DeclaredRoles,
  old: KnownRoles = { roles: [] },
): string[] | undefined {
  const { directory, group, shown } = view;
  if (exclusive || adopt) return [];
  const { alreadyAssigned } = old;
  if (!shown) return alreadyAssigned && roles.filter((role) => directory.includes(alreadyAssigned, directory.of(role)));
  const isOwn = (role: Named) =>
    directory.includes(ownRoles(old), role) || keysFor(groupRoleKey, role, group).some((key) => run.isOwned(key));
  return roles.filter((role) => has(view, role) && !isOwn(directory.of(role)));
}

/** Another resource of the program may declare the same role of the group in other words. */
export function refuseSharedRoles({ run }: Context, view: RoleView, groupId: Id, roles: readonly string[]): void {
  const own = new Set(roles.map((role) => groupRoleKey(role, groupId)));
  for (const role of roles) {
    const keys = keysFor(groupRoleKey, view.directory.of(role), view.group).filter((key) => !own.has(key));
    const other = keys.map((key) => run.declarerOf(key)).find((found) => found !== undefined);
    if (other !== undefined)
      throw new PlatformError(
        `declares role ${role} of group ${spelled(view.group)}, which ${other} in this program also declares; declare it only once. Nothing was changed`,
        { code: "conflict", outcome: "not-sent" },
      );
  }
}
