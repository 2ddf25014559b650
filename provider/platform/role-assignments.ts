import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, leavesOutcomeOpen, PlatformError, saysItIsSo } from "../api/errors";
import { operations } from "../api/operations";
import { inParallel } from "../api/parallel";
import { saysItIsGone } from "../api/token-account";
import type { Context } from "../core/define";
import type { Id } from "../values/id";

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
export interface RoleChanges {
  readonly done: readonly string[];
  /** Nobody knows whether these were carried out. */
  readonly open: readonly string[];
  /** Absent if everything was done. */
  readonly error?: PlatformError;
}

/** Assigns or unassigns roles in parallel, one request each. */
export async function changeRoles(
  context: Context,
  verb: "assign" | "unassign",
  groupId: Id,
  roles: readonly string[],
): Promise<RoleChanges> {
  const { api } = context;
  const change = verb === "assign" ? assignRole : unassignRole;
  const done: string[] = [];
  const failures: { readonly role: string; readonly error: Error }[] = [];
  await inParallel(roles, api.settings.connections, async (role) => {
    if (api.isStopped) return false;
    try {
      await change(context, { groupId, role });
      done.push(role);
      return true;
    } catch (error) {
      failures.push({ role, error: error as Error });
      // A refusal concerns only this role; any other failure would affect the rest too, so stop.
      return isPlatformError(error, "rejected", "conflict", "not-found");
    }
  });
  if (done.length === roles.length) return { done, open: [] };
  const open = failures.filter(({ error }) => leavesOutcomeOpen(error)).map(({ role }) => role);
  const untried = roles.length - done.length - failures.length;
  return { done, open, error: errorOf(verb, groupId, roles.length, failures, untried) };
}

const maxReasons = 3;

function errorOf(
  verb: string,
  groupId: Id,
  total: number,
  failures: readonly { readonly role: string; readonly error: Error }[],
  untried: number,
): PlatformError {
  const reasons = failures.slice(0, maxReasons).map(({ role, error }) => `${role}: ${error.message}`);
  const more = failures.length > maxReasons ? [`and ${failures.length - maxReasons} more`] : [];
  const rest =
    untried > 0 ? [`${untried} not attempted${failures.length === 0 ? ", because the run was cancelled" : ""}`] : [];
  const said = [...reasons, ...more, ...rest].join("; ");
  const message = `could not ${verb} ${failures.length + untried} of ${total} roles of group ${groupId}: ${said}. What was done stays; run the command again to finish`;
  const errors = failures.map(({ error }) => error).filter((error) => isPlatformError(error));
  const cause = errors.find(leavesOutcomeOpen) ?? errors[0];
  return cause ? cause.with(message) : new PlatformError(message, { code: "cancelled", outcome: "not-sent" });
}
