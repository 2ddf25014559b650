import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import { accountIdOutput, defineResource, keepIfOpen } from "../core/define";
import { asNumber, type Id, numberId, sameId } from "../values/id";
import { pathSegment } from "../values/path-segment";

interface Assignment {
  readonly groupId: Id;
  readonly role: string;
}

export const groupRoleAssignment = defineResource({
  type: "GroupRoleAssignment",
  doc: `A role that a group has: its members may do what the role allows.

The API cannot tell whether the group had the role before, so creating the resource takes over an assignment that was there already, and destroying it removes the assignment in any case.`,
  inputs: z.object({
    groupId: numberId.describe("Id of the group that gets the role."),
    role: pathSegment.describe('Name of the role, or its id as text: `"analyst"` or `"301"`.'),
  }),
  outputs: z.object({ accountId: accountIdOutput }),
  importId: { format: "`groupId/role`", example: "204/analyst" },
  replaceOn: "all", // an assignment has nothing beside its key
  deleteBeforeReplace: true, // a role's name and its id may be the same role
  keys: {
    property: "role",
    of: ({ groupId, role }) =>
      groupId === undefined || role === undefined ? [] : [`role ${role} of group ${groupId}`],
  },
  secrets: [],
  limits: {
    refresh: "Nothing: the API cannot show the roles of a group, so refresh keeps the state as it is.",
    update: "An assignment cannot be changed: another group or role replaces it.",
    destroy: "Unassigns the role from the group.",
  },
  same: { groupId: sameId },

  fromId(id) {
    const [, groupId, role] = /^([^/\s]+)\/(.+)$/s.exec(id) ?? [];
    if (!groupId || !role)
      throw new PlatformError(
        `${JSON.stringify(id)} is not a group role id; expected groupId/role, such as 204/analyst`,
        { code: "rejected" },
      );
    return { groupId: asNumber(groupId), role };
  },

  async create({ api, log }, { groupId, role }) {
    const id = `${groupId}/${role}`;
    try {
      await keepIfOpen(id, {}, () => put(api, operations.assignRole, { groupId, role }));
    } catch (error) {
      // A conflict about an assignment can only mean that it is there.
      if (!isPlatformError(error, "conflict")) throw error;
      log.info(`group ${groupId} has the role ${role} already, as the platform says`);
    }
    return { id };
  },

  async delete({ api, log }, _id, { groupId, role }) {
    try {
      await put(api, operations.unassignRole, { groupId, role });
    } catch (error) {
      if (isPlatformError(error, "conflict"))
        return log.warn(`the platform says that group ${groupId} does not have the role ${role}: nothing to unassign`);
      if (!(await saysItIsGone(api, error))) throw error;
      log.warn(
        `the platform does not know group ${groupId} or role ${role} any more, so there was nothing to unassign; if the role was renamed, the group may still have it`,
      );
    }
  },
});

type Change = typeof operations.assignRole | typeof operations.unassignRole;

function put(api: Client, operation: Change, { groupId, role }: Assignment): Promise<unknown> {
  return api.call<string, unknown>(operation, { path: { groupId, role } as never, body: {}, answer: anyAnswer });
}
