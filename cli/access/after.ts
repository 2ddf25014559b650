import { allOfFolders, isRewritten } from "../../provider/values/policy";
import type { Managed } from "../pulumi/managed";
import { afterGrants, type PlannedChange, type Where } from "./grants";
import { afterUp, declaredPolicy, type PolicyState } from "./policy";
import type { Kind } from "./target";

/** The policy after the update. The same value if the plan does not touch it. */
export function policyAfter(before: PolicyState, planned: PlannedChange, where: Where): PolicyState {
  const { written, deleted } = planned;
  const declared = written.filter(isPolicy).at(-1);
  // A new value: what is unknown before and after, such as a secret, may change all the same.
  if (declared) {
    const policy = declaredPolicy(declared, "policy", "plan") ?? { unknown: "the plan does not show it" };
    return policy === afterUp ? { ...afterUp, unknown: where.later.policy(declared, "policy") } : { ...policy };
  }
  const removed = deleted.find(({ resource, isRetained }) => isPolicy(resource) && !isRetained);
  const rest = removed ? afterDestroy(before, removed.resource, where) : before;
  return afterGrants(rest, planned, where);
}

function isPolicy({ type }: Managed): boolean {
  return type === "ObjectPolicy" || type === "FolderPolicy";
}

function afterDestroy(before: PolicyState, resource: Managed, { kind, extendedApi }: Where): PolicyState {
  const { onDestroy = kind === "object" ? "restore" : "keep", sourceType } = resource.state;
  // Without the extended API, destroy cannot set the policy of an environment, and cannot restore that of a folder.
  const isPossible = extendedApi || (kind === "object" ? sourceType !== "environment" : onDestroy !== "restore");
  if (!isPossible) return before;
  if (onDestroy === "clear") return { elements: [], from: "plan" };
  if (onDestroy === "set")
    return declaredPolicy(resource, "destroyPolicy", "plan") ?? { unknown: "destroyPolicy is not in the state" };
  return onDestroy === "restore" ? afterRestore(before, resource, kind) : before;
}

/** Destroy leaves a policy alone that somebody else has changed since, and one whose original is not known. */
function afterRestore(before: PolicyState, resource: Managed, kind: Kind): PolicyState {
  const original = declaredPolicy(resource, "originalPolicy", "plan");
  if (!original) return before;
  const ours = declaredPolicy(resource, "policy", "state");
  if ("unknown" in original) return original;
  if ("unknown" in before || !ours || "unknown" in ours || before.from !== "platform")
    return {
      unknown:
        "destroy restores the original policy unless somebody has changed it since, and the current one cannot be compared",
    };
  return isRewritten(before.elements, ours.elements, kind === "folder" ? allOfFolders : undefined) ? original : before;
}
