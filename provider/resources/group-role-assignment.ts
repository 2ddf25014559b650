import { z } from "zod";
import { isPlatformError, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { defineResource } from "../core/define";
import { pathSegment } from "../values/path-segment";

const Done = z.object({ status: z.literal("done") });

export const groupRoleAssignment = defineResource({
  type: "GroupRoleAssignment",
  doc: `A role that a group has: its members may do what the role allows.

The API cannot tell whether the group had the role before, so creating the resource takes over an assignment that was there already, and destroying it removes the assignment in any case.`,
  inputs: z.object({
    groupId: z.int().positive("must be a positive integer").describe("Id of the group that gets the role."),
    role: pathSegment.describe('Name of the role, or its id as text: `"analyst"` or `"301"`.'),
  }),
  outputs: z.object({}),
  importId: { format: "`groupId/role`", example: "204/analyst" },
  replaceOn: "all", // an assignment has nothing beside its key
  deleteBeforeReplace: true, // a role's name and its id may be the same role
  secrets: [],
  limits: {
    refresh: "Nothing: the API cannot show the roles of a group, so refresh keeps the state as it is.",
    update: "An assignment cannot be changed: another group or role replaces it.",
    destroy: "Unassigns the role from the group.",
  },

  fromId(id) {
    const [, groupId, role] = /^(\d+)\/(.+)$/s.exec(id) ?? [];
    if (!groupId || !role)
      throw new PlatformError(
        `${JSON.stringify(id)} is no id of a group role; it is groupId/role, such as 204/analyst`,
        {
          code: "rejected",
        },
      );
    return { groupId: Number(groupId), role };
  },

  async create({ api, signal }, { groupId, role }) {
    await api.call(operations.assignRole, { path: { groupId, role }, body: {}, answer: Done, signal });
    return { id: `${groupId}/${role}` };
  },

  async delete({ api, log, signal }, _id, { groupId, role }) {
    try {
      await api.call(operations.unassignRole, { path: { groupId, role }, body: {}, answer: Done, signal });
    } catch (error) {
      if (!isPlatformError(error, "not-found")) throw error;
      log.warn(
        `the platform does not know group ${groupId} or role ${role} any more, so there was nothing to unassign; if the role was renamed, the group may still have it`,
      );
    }
  },
});
