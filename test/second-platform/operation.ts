import { type Answer, missing } from "./answers";
import type { Parameters } from "./parameters";
import type { User } from "./state";
import type { World } from "./world";

export interface Call {
  world: World;
  user: User;
  /** Decoded path parts, by their name in the printed path. */
  path: Record<string, string>;
  /** The same parts as sent, for rules on encoding. */
  rawPath: Record<string, string>;
  query: Record<string, string>;
  /** The JSON body; an empty object when there is none. */
  body: Record<string, unknown>;
  /** The body exactly as read: undefined when none was sent. */
  rawBody: unknown;
  parameters: Parameters;
}

/** A row of the table in part 5: system-user, too, or system-admin alone; or the permission. */
type Need = readonly [builtIn: "both" | "system-admin", permission: string];

export interface Operation {
  name: string;
  method: string;
  /** Paths as the specification prints them; `:name` marks a variable part. */
  paths: readonly string[];
  /** Whether the specification calls the final slash optional. */
  slashOptional?: boolean;
  need: Need;
  /** Marked in section 9.3 as having a newer version. */
  deprecated?: boolean;
  run(call: Call): Answer;
}

/** An operation of one path or several, written as the specification prints them. */
export function operation(
  name: string,
  printed: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  need: Need,
  run: Operation["run"],
  more: Pick<Operation, "slashOptional" | "deprecated"> = {},
): Operation {
  const [method = "", ...paths] = printed.split(" ");
  return { name, method, paths, need, run, ...more };
}

export const needs = {
  editAccount: ["both", "editing an account"],
  submitCommand: ["both", "submitting a command"],
  viewHistory: ["both", "viewing the command history"],
  createDataStore: ["system-admin", "creating a data store"],
  updateEnvironment: ["both", "updating an environment"],
  createAccount: ["both", "creating an account"],
  viewAccount: ["both", "viewing an account's details"],
  viewPending: ["system-admin", "viewing an account's details"],
  enableUsers: ["both", "enabling users"],
  viewHive: ["system-admin", "viewing Hive tables"],
  createSensor: ["both", "creating a sensor"],
  assignRoles: ["both", "assigning roles to a group"],
  unassignRoles: ["both", "unassigning roles from a group"],
  setObjectPolicy: ["system-admin", "setting an object policy"],
  viewObjectPolicy: ["both", "viewing the object policy"],
} as const satisfies Record<string, Need>;

/** One page of a list, as the query asks, and what is said of the others. */
export function pageOf({ query }: Call, records: readonly unknown[], per_page: number) {
  const at = Math.max(1, Number(query["page"] ?? 1) || 1);
  const next_page = at * per_page < records.length ? at + 1 : null;
  const paging_info = { previous_page: at > 1 ? at - 1 : null, next_page, per_page };
  return { cut: records.slice((at - 1) * per_page, at * per_page), paging: { paging_info } };
}

/** The matching object of the caller's account. */
export function pick<T extends { accountId: number }>(
  call: Call,
  things: readonly T[],
  fits: (thing: T) => boolean,
  what: string,
): T {
  const own = things.find((thing) => fits(thing) && thing.accountId === call.user.accountId);
  if (!own) throw missing(`${what} not found`);
  return own;
}
