import { z } from "zod";
import { accountIdOutput, type Context, defineResource, keepIfOpen, wrongId } from "../core/define";
import { orGone } from "../core/gone";
import { changeRole, groupRoles, segment } from "../platform/group-parts";
import { addWhatMayBeTheSame, existingSet, foreseeMissing, lookAtPart } from "../platform/group-sets";
import { groupRoleKey, keysFor, namesOfGroup } from "../platform/groups";
import { newName } from "../platform/names";
import type { Named } from "../platform/references";
import { roles } from "../platform/roles";
import { compared, type SetView } from "../platform/sets";
import { asNumber, type Id, numberId, sameId } from "../values/id";
import { pathSegment } from "../values/path-segment";

export const groupRoleAssignment = defineResource({
  type: "GroupRoleAssignment",
  doc: `The assignment of a role to a group, whose members may then do what the role allows.

Creating the resource takes over an existing assignment, and destroying it always removes the assignment. The specified API cannot show the roles of a group; the extended API (\`dataplatform:extendedApi\`) can, so that a role that was taken away by hand is assigned again. For many roles of one group, use \`GroupRoles\`.`,
  inputs: z.object({
    groupId: numberId.describe("Id of the group that gets the role."),
    role: pathSegment.describe('Name of the role, or its id as a string: `"analyst"` or `"301"`.'),
  }),
  outputs: z.object({ accountId: accountIdOutput }),
  importId: {
    format: "`groupId/role`",
    example: "204/analyst",
    tells(id) {
      const [, groupId, role] = /^([^/\s]+)\/(.+)$/s.exec(id) ?? [];
      if (groupId && role) return { groupId: asNumber(groupId), role };
      throw wrongId(id, "a group role id", "groupId/role, such as 204/analyst");
    },
  },
  replaceOn: ["groupId", "role"],
  keys: {
    deleteFirst: "if same",
    property: "role",
    of: ({ groupId, role }) => (groupId === undefined || role === undefined ? [] : [groupRoleKey(role, groupId)]),
    inNewNames: ({ role, ...others }, run) => ({ ...others, role: newName(run, roles, role) }),
  },
  limits: {
    thing: "the roles of a group",
    update: "An assignment cannot be changed: a different group or role replaces it.",
    destroy: "Unassigns the role from the group.",
  },
  same: { groupId: sameId },

  async create(context, { groupId, role }) {
    const id = `${groupId}/${role}`;
    await keepIfOpen(id, {}, () => changeRole(context, "add", { groupId, role }));
    return { id };
  },

  /** Every input replaces the assignment, so there is nothing to change: the response to the last attempt was lost. */
  async update(context, id, _old, { groupId, role }, { redo }) {
    if (redo) await keepIfOpen(id, {}, () => changeRole(context, "add", { groupId, role, again: true }));
    return {};
  },

  async delete(context, _id, { groupId, role }) {
    const group = (await namesOfGroup(context, groupId)) ?? { id: groupId };
    const directory = await groupRoles.directory(context);
    // A Group of this run may name the role or the group in another way.
    const keys = keysFor(groupRoleKey, directory.of(role), group);
    const keeper = context.run.keeperOf(...keys);
    if (keeper !== undefined)
      return context.log.info(`group ${groupId} keeps role ${role}, because ${keeper} declares it`);
    // What may not be read is not known.
    const isThere = () => hasRole(context, group, role).catch(() => undefined);
    // Its id, if the list shows it: this run may rename it at this moment.
    const sent = String(segment(directory.of(role)));
    const remove = () => changeRole(context, "remove", { groupId, role: sent, isThere });
    await context.run.removing(keys, remove).catch((error: unknown) => {
      throw orGone(error);
    });
    await addWhatMayBeTheSame(context, groupRoles, { group, directory }, [role]);
  },

  extended: {
    limits: {
      refresh:
        "Whether the group has the role, as far as the installation shows it: if not, it is gone, and the next `pulumi up` assigns it again.",
    },

    async foresee(context, { old, inputs: { groupId, role } }) {
      if (old || groupId === undefined || role === undefined || context.run.isOwned(groupRoleKey(role, groupId)))
        return;
      await foreseeMissing(context, groupRoles, [role]);
      if (hasIn(await existingSet(context, groupRoles, groupId, [role]), role))
        context.log.warn(
          `group ${groupId} already has role ${role}: this resource takes that over, and destroying it unassigns the role. To leave what others have assigned, use GroupRoles`,
        );
    },

    async read(context, _id, { groupId, role }) {
      if (groupId === undefined || role === undefined) return {};
      const isThere = await hasRole(context, { id: groupId }, role);
      if (isThere === undefined) return {};
      return isThere ? { groupId, role } : undefined;
    },
  },
});

/** Undefined if nothing shows it. */
async function hasRole(context: Context, group: Named, role: string): Promise<boolean | undefined> {
  const set = await lookAtPart(context, groupRoles, group, [role]);
  return set === "gone" ? false : hasIn(set, role);
}

function hasIn(set: SetView<Id>, role: string): boolean | undefined {
  return set.shown && compared(set, [role], set.shown).present.length > 0;
}
