import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { type PlatformError, saysItIsSo } from "../api/errors";
import { operations } from "../api/operations";
import { saysItIsGone } from "../api/token-account";
import type { Context } from "../core/define";
import type { Id } from "../values/id";
import { type Changes, changeEach, failureOf } from "./sets";

export interface Assignment {
  readonly groupId: Id;
  readonly role: string;
}

export async function assignRole({ api, log }: Context, assignment: Assignment): Promise<void> {
  try {
    await put(api, operations.assignRole, assignment);
  } catch (error) {
    if (!saysItIsSo(error, "add")) throw error;
    log.info(`group ${assignment.groupId} already has role ${assignment.role}: ${error.platformMessage}`);
  }
}

export async function unassignRole({ api, log }: Context, { groupId, role }: Assignment): Promise<void> {
  try {
    await put(api, operations.unassignRole, { groupId, role });
  } catch (error) {
    if (saysItIsSo(error, "remove"))
      return log.warn(`nothing to unassign from group ${groupId}: ${error.platformMessage}`);
    if (!(await saysItIsGone(api, error))) throw error;
    log.warn(
      `nothing to unassign: group ${groupId} or role ${role} no longer exists; if the role was renamed, the group may still have it`,
    );
  }
}

type Change = typeof operations.assignRole | typeof operations.unassignRole;

function put(api: Client, operation: Change, { groupId, role }: Assignment): Promise<unknown> {
  return api.call<string, unknown>(operation, { path: { groupId, role } as never, body: {}, answer: anyAnswer });
}

/** What became of a change of several roles. */
export interface RoleChanges extends Pick<Changes<string>, "done" | "open"> {
  /** Absent if everything was done. */
  readonly error?: PlatformError | undefined;
}

export async function changeRoles(
  context: Context,
  verb: "assign" | "unassign",
  groupId: Id,
  roles: readonly string[],
): Promise<RoleChanges> {
  const change = verb === "assign" ? assignRole : unassignRole;
  const changes = await changeEach(context.api, roles, ["rejected", "conflict", "not-found"], (role) =>
    change(context, { groupId, role }),
  );
  const error = failureOf(changes, { change: verb, total: roles.length, things: `roles of group ${groupId}` });
  return { ...changes, error };
}
