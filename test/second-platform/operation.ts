import type { Answer } from "./answers";
import type { User } from "./model";
import type { Parameters } from "./parameters";
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

/** A row of the table in part 5. */
export interface Need {
  builtIn: readonly ("system-user" | "system-admin")[];
  permission: string;
}

export interface Operation {
  name: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Paths as the specification prints them; `:name` marks a variable part. */
  paths: readonly string[];
  /** Whether the specification calls the final slash optional. */
  slashOptional?: boolean;
  need: Need;
  /** Marked in section 9.3 as having a newer version. */
  deprecated?: boolean;
  run(call: Call): Answer;
}

/** An operation of one path, written as the specification prints it. */
export function operation(
  name: string,
  printed: `${Operation["method"]} /${string}`,
  need: Need,
  run: Operation["run"],
  more: Pick<Operation, "slashOptional" | "deprecated"> = {},
): Operation {
  const [method, path = ""] = printed.split(" ") as [Operation["method"], string];
  return { name, method, paths: [path], need, run, ...more };
}

const both = ["system-user", "system-admin"] as const;

export const needs = {
  editAccount: { builtIn: both, permission: "editing an account" },
  submitCommand: { builtIn: both, permission: "submitting a command" },
  viewHistory: { builtIn: both, permission: "viewing the command history" },
  createDataStore: { builtIn: ["system-admin"], permission: "creating a data store" },
  updateEnvironment: { builtIn: both, permission: "updating an environment" },
  createAccount: { builtIn: both, permission: "creating an account" },
  viewAccount: { builtIn: both, permission: "viewing an account's details" },
  viewPending: { builtIn: ["system-admin"], permission: "viewing an account's details" },
  enableUsers: { builtIn: both, permission: "enabling users" },
  viewHive: { builtIn: ["system-admin"], permission: "viewing Hive tables" },
  createSensor: { builtIn: both, permission: "creating a sensor" },
  assignRoles: { builtIn: both, permission: "assigning roles to a group" },
  unassignRoles: { builtIn: both, permission: "unassigning roles from a group" },
  setObjectPolicy: { builtIn: ["system-admin"], permission: "setting an object policy" },
  viewObjectPolicy: { builtIn: both, permission: "viewing the object policy" },
} as const satisfies Record<string, Need>;
