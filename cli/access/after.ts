import { isRewritten } from "../../provider/values/policy";
import type { Managed } from "../pulumi/managed";
import { afterGrants, type Where } from "./grants";
import { policyText } from "./later";
import type { Step } from "./plan";
import { afterUp, declaredPolicy, type PolicyState } from "./policy";
import { allOf, type Kind } from "./target";

/** The policy after the update. The same value if the plan does not touch it. */
export function policyAfter(before: PolicyState, steps: readonly Step[], where: Where): PolicyState {
  const declares = steps.findLast(({ after }) => after && isPolicy(after));
  // A new value: what is unknown before and after, such as a secret, may change all the same.
  if (declares) {
    const policy = declaredPolicy(declares.after!, "policy", "plan") ?? { unknown: "the plan does not show it" };
    return { ...policy, ...(policy === afterUp && { unknown: policyText(declares, where.steps) }) };
  }
  const removed = steps.find((step) => !step.after && isPolicy(step.before!))?.before;
  const rest = removed ? afterDestroy(before, removed, where) : before;
  return afterGrants(rest, steps, where);
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
  return isRewritten(before.elements, ours.elements, allOf[kind]) ? original : before;
}
