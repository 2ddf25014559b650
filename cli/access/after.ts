import { containsUnknown } from "../../provider/core/engine-values";
import { type Grant, hasGrant, principalName, withGrant, withoutGrant } from "../../provider/values/grant";
import { isRewritten, type Policy } from "../../provider/values/policy";
import type { Managed } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import { newGroupsIn, type Plan, resourceIn, type Step } from "./plan";
import {
  afterUp,
  declaredPolicy,
  elementsIn,
  hiddenBySecret,
  hiddenIn,
  type PolicyState,
  type Unknown,
} from "./policy";
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

// What the steps of a plan say about access that is decided only by the update.

/** `a grant of manage to a group that up creates (Group late, with the members ana@example.com)` */
export function grantText(step: Step, steps: Plan["steps"]): string {
  const { allow, deny, user } = step.after!.state;
  const who = principalText(step, user === undefined ? "group" : "user", steps);
  const parts = [
    allow === undefined ? "" : `a grant of ${actionsIn(allow)} to ${who}`,
    deny === undefined ? "" : `a denial of ${actionsIn(deny)} to ${who}`,
  ];
  return parts.filter(Boolean).join(", and ");
}

/** `known only after up: it names a group that up creates (Group late)` */
export function policyText(step: Step, steps: Plan["steps"]): string {
  const names = newGroupsIn(step, "policy", steps).map((group) => groupText(group, steps));
  return names.length > 0 ? `known only after up: it names ${names.join(" and ")}` : "known only after up";
}

function principalText(step: Step, kind: "user" | "group", steps: Plan["steps"]): string {
  const value = step.after!.state[kind];
  if (!containsUnknown(value)) return `${kind} ${String(value)}`;
  const [group] = newGroupsIn(step, kind, steps);
  return group ? groupText(group, steps) : `a ${kind} that is known only after up`;
}

function groupText(group: Managed, steps: Plan["steps"]): string {
  const joining = steps.filter(
    (step) => step.after?.type === "GroupMembership" && newGroupsIn(step, "group", steps).includes(group),
  );
  const lists = [group.state["members"], ...joining.map(({ after }) => after!.state["users"])];
  const members = [...new Set(lists.flatMap(textsIn))];
  const named = members.length > 0 ? `, with the members ${members.join(", ")}` : "";
  return `a group that up creates (Group ${group.name}${named})`;
}

/** Without what is unknown, and what the plan masks. */
function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => !containsUnknown(one) && one !== maskedSecret).map(String) : [];
}

function actionsIn(list: unknown): string {
  return containsUnknown(list) || !Array.isArray(list) ? "actions that are known only after up" : list.join(", ");
}

export interface Where {
  readonly kind: Kind;
  readonly extendedApi: boolean;
  /** All steps of the plan: they say something about values that only the update decides. */
  readonly steps: readonly Step[];
}

const properties = ["user", "group", "allow", "deny"] as const;

/** What a policy becomes when the plan adds, changes and takes out grants. */
function afterGrants(before: PolicyState, steps: readonly Step[], where: Where): PolicyState {
  const edits = editsOf(steps, where);
  if (edits.length === 0) return before;
  const unclear = edits.flatMap((edit) => ("unknown" in edit ? [edit] : []));
  if (unclear[0]) return { ...unclear[0], unknown: [...new Set(unclear.map(({ unknown }) => unknown))].join("; ") };
  if ("unknown" in before)
    return { ...before, unknown: `a grant is merged into the current policy, which is not known: ${before.unknown}` };
  const policy = edits.reduce<Policy>(
    (merged, edit) => ("unknown" in edit ? merged : edit.merge(merged)),
    before.elements,
  );
  return policy === before.elements ? before : { elements: elementsIn(policy) ?? [], from: "plan" };
}

type Edit = { readonly merge: (policy: Policy) => Policy } | Unknown;

function editsOf(steps: readonly Step[], where: Where): Edit[] {
  const all = allOf[where.kind];
  const own = steps.filter((step) => isGrant(resourceIn(step)));
  const grantBefore = ({ state }: Managed) => ({
    ...(state as unknown as Grant),
    namedBefore: state["namedBefore"] !== false,
  });
  const removed = own.flatMap(({ before, after }) => (before && !after && canRemove(before, where) ? [before] : []));
  const without = (old: ReturnType<typeof grantBefore>) => (policy: Policy) =>
    withoutGrant(policy, old, { all, namedBefore: old.namedBefore });
  return [
    ...removed.map((resource) => ({ merge: without(grantBefore(resource)) })),
    ...own.flatMap((step): Edit[] => {
      const { before, after } = step;
      if (!after) return [];
      const grant = grantOf(after);
      if (grant === afterUp) return [{ ...afterUp, unknown: grantText(step, where.steps) }];
      if ("unknown" in grant) return [grant];
      const old = before && grantBefore(before);
      const isOthers = old && principalName(old) !== principalName(grant);
      if (isOthers) return [{ merge: (policy) => withGrant(without(old)(policy), grant, all) }];
      return [{ merge: (policy) => withGrant(policy, grant, all, old) }];
    }),
  ];
}

export function isGrant({ type }: Managed): boolean {
  return type === "ObjectGrant" || type === "FolderGrant";
}

/** Without the extended API, destroy cannot change the policy of an environment or of a folder. */
function canRemove({ state }: Managed, { kind, extendedApi }: Where): boolean {
  return extendedApi || (kind === "object" && state["sourceType"] !== "environment");
}

function grantOf(resource: Managed): Grant | Unknown {
  const { user, group, allow, deny } = resource.state as unknown as Grant;
  return hiddenIn(resource, properties) ?? { user, group, allow, deny };
}

/** Whether the program marks what the resource grants as a secret. */
export function isHidden(resource: Managed): boolean {
  return isGrant(resource) && grantOf(resource) === hiddenBySecret;
}

/** Whether a policy holds the grant of a resource in the state. */
export function holds(policy: Policy, resource: Managed, kind: Kind): boolean {
  const grant = grantOf(resource);
  return "unknown" in grant || hasGrant(policy, grant, allOf[kind]);
}
