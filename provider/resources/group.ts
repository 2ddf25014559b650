import { z } from "zod";
import { withNote } from "../api/errors";
import { type Context, defineResource, keepIfOpen, PartialSuccess } from "../core/define";
import { members } from "../platform/group-members";
import { groupRoles, segment } from "../platform/group-parts";
import { foreseeMissing, lookAtPart, noSuchGroup } from "../platform/group-sets";
import { groupRoleKey, groups, memberKey, memberListKey } from "../platform/groups";
import { newName } from "../platform/names";
import type { Named } from "../platform/references";
import { roles } from "../platform/roles";
import { changeSet, compared, settled } from "../platform/sets";
import { isNumeric } from "../values/id";
import { pathSegment } from "../values/path-segment";
import { nameOrId, sameReferences, userReference } from "../values/references";
import { flag } from "../values/simple";

const inputs = z.object({
  name: pathSegment.describe("Name of the group, unique in the account."),
  members: z
    .array(userReference)
    .optional()
    .describe(
      "All members of the group: e-mail addresses, or the `id`s that `getUsers` returns. Others are removed from the group. Default: the members are left alone. Order does not matter.",
    ),
  roles: z
    .array(nameOrId)
    .optional()
    .describe(
      "All roles of the group: names or ids. Others are unassigned. Default: the roles are left alone. Order does not matter.",
    ),
  adopt: flag.describe(
    "Take over a group with this name if there is one, instead of failing. Destroying the resource then deletes it. Default: false.",
  ),
});
type Inputs = z.output<typeof inputs>;

export const group = defineResource({
  type: "Group",
  doc: `A group of users, who may do what the roles of the group allow.

\`members\` and \`roles\` are complete lists if they are set, and left alone if they are not. To add single users to a group that others manage, use \`GroupMembership\`; to assign single roles, \`GroupRoleAssignment\`. Do not combine these with the complete lists of the same group.`,
  inputs,
  ...groups.members("207"),
  keys: {
    property: "name",
    of: keysOf,
    inNewNames: ({ roles: listed, ...others }, run) => ({
      ...others,
      ...(listed && { roles: listed.map((role) => newName(run, roles, String(role))) }),
    }),
  },
  limits: {
    refresh:
      "The name; `members` and `roles` if they are set, as far as the installation shows them. An import reads all of them.",
    destroy:
      "Deletes the group. Some platforms refuse that while it has members: then set `members: []`, run `pulumi up`, and destroy again.",
  },
  same: { members: sameReferences(true), roles: sameReferences(false) },

  async foresee(context, change) {
    await groups.foresee(context, change);
    for (const property of ["members", "roles"] as const)
      await foreseeMissing(context, parts[property], change.inputs[property]);
  },

  create: createWithLists,

  async read(context, id, state) {
    const found = await groups.lookByState(context, id, state.name);
    if (found === "gone") return undefined;
    if (found === "unknown") return {};
    const importing = state.name === undefined;
    const group = { id: found.id, name: found.name ?? state.name };
    return {
      id: String(found.id),
      ...(found.name && { name: found.name }),
      ...(await listsIn(context, group, importing ? { members: [], roles: [] } : state)),
      ...groups.outputsOf(found),
    };
  },

  async update(context, id, old, given, { redo }) {
    const found = await groups.lookByState(context, id, old.name);
    if (found === "gone") {
      if (!redo || isNumeric(id)) throw groups.noLongerThere(old.name);
      // Its creation had an open outcome, and nothing came of it.
      const { id: _, ...outputs } = await createWithLists(context, given);
      return outputs;
    }
    const known = found === "unknown" ? (isNumeric(id) ? id : undefined) : found.id;
    const current = { id: known, name: old.name };
    const isRenamed = given.name !== old.name || (redo && typeof found === "object" && found.name !== given.name);
    const lists: Lists = { members: old.members, roles: old.roles };
    if (isRenamed)
      await keepIfOpen(id, { ...lists }, () =>
        groups.change(context, segment(current), old.name, { name: given.name }, "renamed"),
      );
    groups.noteName(context, old.name, given.name);
    try {
      await changeLists(context, { ...current, name: given.name }, lists, given, redo);
    } catch (error) {
      const isUntouched = lists.members === old.members && lists.roles === old.roles;
      throw isUntouched && !isRenamed ? error : new PartialSuccess(id, { ...lists }, error as Error);
    }
    return {};
  },
});

function keysOf({ name, members: users, roles }: Partial<Inputs>): string[] {
  if (name === undefined) return [];
  return [
    groups.keyOf(name),
    ...(users ? [memberListKey(name), ...users.map((user) => memberKey(user, name))] : []),
    ...(roles ?? []).map((role) => groupRoleKey(role, name)),
  ];
}

async function createWithLists(context: Context, given: Inputs) {
  const { name } = given;
  const lists: Lists = { members: undefined, roles: undefined };
  const existing = await groups.existing(context, given);
  const record = existing ?? (await groups.create(context, name, { name }, lists));
  const id = String(record?.id ?? name);
  try {
    await changeLists(context, { id: record?.id, name }, lists, given, false);
  } catch (error) {
    const kept = `Group ${name} was ${existing ? "taken over" : "created"}, and is kept in the state`;
    throw new PartialSuccess(id, { ...lists }, withNote(error as Error, kept));
  }
  return { id, ...groups.outputsOf(record) };
}

/** All members and all roles of a group; absent where the program leaves them alone. */
type Lists = Partial<Pick<Inputs, "members" | "roles">>;
const parts = { members, roles: groupRoles };

/** `lists`: what the group has, or may have. Kept up to date, so that after a failure the next `up` goes on from there. */
async function changeLists(context: Context, group: Named, lists: Lists, given: Lists, redo: boolean): Promise<void> {
  for (const property of ["members", "roles"] as const) {
    const wanted = given[property];
    if (!wanted) continue;
    const before = { listed: lists[property] ?? [] };
    const look = () => lookAtPart(context, parts[property], group, [...wanted, ...before.listed], wanted);
    const set = await settled(context, wanted, look);
    if (set === "gone") throw noSuchGroup(group);
    const { listed, error } = await changeSet(context, set, { wanted, before, isWhole: true, adopt: true, redo });
    lists[property] = [...listed];
    if (error) throw error;
  }
}

/** Absent if the program does not list them, or the platform does not show them. */
async function listsIn(context: Context, group: Named, listed: Lists): Promise<Lists> {
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
