import { invalid } from "./answers";
import type { PolicyElement } from "./model";
import type { Call } from "./operation";

const objectActions = ["read", "update", "delete", "manage", "all"];

function decode(call: Call): unknown {
  const text = call.parameters.text("policy");
  if (text === undefined) throw invalid("policy is required");
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("policy is not JSON");
  }
}

function readIds(call: Call, name: "svc_users" | "svc_groups", value: unknown): number[] {
  const { switches, data } = call.world;
  if (!Array.isArray(value)) throw invalid(`${name} must be an array`);
  const ids = value.map((id: unknown) => {
    if (typeof id !== "number" || !Number.isInteger(id)) throw invalid(`${name} must hold integers`);
    return id;
  });
  if (name === "svc_groups" || switches.policyUserIds === "not checked") return ids;
  const users = data.users.filter((user) => user.accountId === call.user.accountId);
  const known = users.map((user) => (switches.policyUserIds === "id of get_users" ? user.id : user.userId));
  const stranger = ids.find((id) => !known.includes(id));
  if (stranger !== undefined) throw invalid(`${name}: ${stranger} is not known`);
  return ids;
}

function readCondition(call: Call, value: unknown): NonNullable<PolicyElement["condition"]> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("condition must be an object");
  const condition: NonNullable<PolicyElement["condition"]> = {};
  for (const name of ["svc_users", "svc_groups"] as const) {
    const list = (value as Record<string, unknown>)[name];
    if (list !== undefined) condition[name] = readIds(call, name, list);
  }
  const none = Object.values(condition).every((list) => list.length === 0);
  if (none) throw invalid("condition names nobody");
  return condition;
}

function readActions(value: unknown, allowed: readonly string[] | undefined): string[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid("action must be an array of actions");
  return value.map((action: unknown) => {
    if (typeof action !== "string" || action === "") throw invalid("each action is a string");
    if (allowed && !allowed.includes(action)) throw invalid(`action ${action} is not known`);
    return action;
  });
}

function readElement(call: Call, value: unknown, of: "object" | "folder"): PolicyElement {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("each element is an object");
  const { access, action, condition } = value as Record<string, unknown>;
  if (access !== "allow" && access !== "deny") throw invalid("access must be allow or deny");
  const element: PolicyElement = { access };
  if (action === undefined && condition === undefined) return element;
  element.action = readActions(action, of === "object" ? objectActions : undefined);
  if (condition !== undefined) element.condition = readCondition(call, condition);
  return element;
}

function kept(call: Call, policy: PolicyElement[]): PolicyElement[] {
  const sorted = (ids: (number | string)[] | undefined) => ids?.toSorted((a, b) => Number(a) - Number(b));
  switch (call.world.switches.policyKept) {
    case "deny-all appended": {
      const all = (name: "svc_users" | "svc_groups") => [
        ...new Set(policy.flatMap((one) => one.condition?.[name] ?? [])),
      ];
      const condition = { svc_users: all("svc_users"), svc_groups: all("svc_groups") };
      return [...policy, { access: "deny", action: ["all"], condition }];
    }
    case "actions sorted":
      return policy.map((one) => (one.action ? { ...one, action: one.action.toSorted() } : one));
    case "ids sorted":
      return policy.map((one) => {
        if (!one.condition) return one;
        const condition: NonNullable<PolicyElement["condition"]> = {};
        for (const name of ["svc_users", "svc_groups"] as const) {
          const ids = sorted(one.condition[name]);
          if (ids) condition[name] = ids;
        }
        return { ...one, condition };
      });
    case "all written out":
      return policy.map((one) =>
        one.action?.includes("all") ? { ...one, action: ["read", "update", "delete"] } : one,
      );
    default:
      return policy;
  }
}

/** Reads the policy of a set request; "unchanged" where an empty one has no effect. */
export function readPolicy(call: Call, of: "object" | "folder"): PolicyElement[] | null | "unchanged" {
  const decoded = decode(call);
  if (!Array.isArray(decoded)) throw invalid("policy must be an array");
  if (decoded.length === 0) {
    const way = call.world.switches.policyEmpty;
    if (way === "refused") throw invalid("policy has no elements");
    if (way === "without effect") return "unchanged";
    return way === "removes the policy" ? null : [];
  }
  return kept(
    call,
    decoded.map((element) => readElement(call, element, of)),
  );
}
