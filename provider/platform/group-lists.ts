import type { Context } from "../core/define";
import type { Id } from "../values/id";
import { members } from "./group-members";
import { groupRoles } from "./group-parts";
import { lookAtPart, noSuchGroup } from "./group-sets";
import type { Named } from "./references";
import { changeSet, compared } from "./sets";

/** All members and all roles of a group; absent where the program leaves them alone. */
export interface Lists {
  members?: Id[] | undefined;
  roles?: Id[] | undefined;
}
const parts = { members, roles: groupRoles };

/** `lists`: what the group has, or may have. Kept up to date, so that after a failure the next `up` goes on from there. */
export async function changeLists(
  context: Context,
  group: Named,
  lists: Lists,
  given: Lists,
  redo: boolean,
): Promise<void> {
  for (const property of ["members", "roles"] as const) {
    const wanted = given[property];
    if (!wanted) continue;
    const before = { listed: lists[property] ?? [] };
    const set = await lookAtPart(context, parts[property], group, [...wanted, ...before.listed], wanted);
    if (set === "gone") throw noSuchGroup(group);
    const { listed, error } = await changeSet(context, set, { wanted, before, isWhole: true, adopt: true, redo });
    lists[property] = [...listed];
    if (error) throw error;
  }
}

/** Absent if the program does not list them, or the platform does not show them. */
export async function listsIn(context: Context, group: Named, listed: Lists): Promise<Lists> {
  const found: Lists = {};
  for (const property of ["members", "roles"] as const) {
    const known = listed[property];
    const set = known ? await lookAtPart(context, parts[property], group, known) : "gone";
    if (!known || set === "gone" || !set.shown) continue;
    const { present, others } = compared(set, known, set.shown);
    found[property] = [...present, ...others];
  }
  return found;
}
