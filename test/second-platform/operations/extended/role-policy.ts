import { invalid } from "../../answers";
import type { RolePolicyElement } from "../../model";
import type { Call } from "../../operation";

const resources = [
  ...["all", "account", "app", "cluster", "command", "datastore", "data_preview", "environment", "folder", "group"],
  ...["note", "notebook_dashboard", "object_storage", "role", "saved_query", "scheduler", "scheduler_instance"],
  ...["template", "svc_user"],
];

function decode(call: Call): unknown {
  try {
    return JSON.parse(call.parameters.text("policies") ?? "");
  } catch {
    throw invalid("policies is not JSON");
  }
}

function readElement(value: unknown): RolePolicyElement {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("each policy is an object");
  const { resource, action, access } = value as Record<string, unknown>;
  if (typeof resource !== "string") throw invalid("each policy names its resource");
  if (!resources.includes(resource)) throw invalid(`resource ${resource} is not known`);
  if (access !== "allow" && access !== "deny") throw invalid("access must be allow or deny");
  if (action === undefined) return { resource, access };
  if (!Array.isArray(action) || action.some((one) => typeof one !== "string"))
    throw invalid("action must be an array of strings");
  // The names in the order in which they were sent.
  const entries = Object.entries({ ...(value as Record<string, unknown>) });
  const known = entries.filter(([name]) => ["resource", "action", "access"].includes(name));
  return Object.fromEntries(known) as unknown as RolePolicyElement;
}

/** Reads `policies`, a JSON-encoded array. */
export function readRolePolicy(call: Call): RolePolicyElement[] {
  const decoded = decode(call);
  if (!Array.isArray(decoded)) throw invalid("policies must be an array");
  return decoded.map(readElement);
}
