import { type Grant, hasGrant, withGrant, withoutGrant } from "../../provider/values/grant";
import type { Policy } from "../../provider/values/policy";
import type { Managed } from "../pulumi/managed";
import { grantText } from "./later";
import { resourceIn, type Step } from "./plan";
import { afterUp, elementsIn, hiddenBySecret, hiddenIn, type PolicyState, type Unknown } from "./policy";
import { allOf, type Kind } from "./target";

export interface Where {
  readonly kind: Kind;
  readonly extendedApi: boolean;
  /** All steps of the plan: they say something about values that only the update decides. */
  readonly steps: readonly Step[];
}

const properties = ["user", "group", "allow", "deny"] as const;

/** What a policy becomes when the plan adds, changes and takes out grants. */
export function afterGrants(before: PolicyState, steps: readonly Step[], where: Where): PolicyState {
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
  const without =
    ({ state }: Managed) =>
    (policy: Policy) =>
      withoutGrant(policy, state as unknown as Grant, { all, namedBefore: state["namedBefore"] !== false });
  const removed = own.flatMap(({ before, after }) => (before && !after && canRemove(before, where) ? [before] : []));
  return [
    ...removed.map((resource) => ({ merge: without(resource) })),
    ...own.flatMap((step): Edit[] => {
      const { before, after } = step;
      if (!after) return [];
      const grant = grantOf(after);
      if (grant === afterUp) return [{ ...afterUp, unknown: grantText(step, where.steps) }];
      if ("unknown" in grant) return [grant];
      const add = (policy: Policy) => withGrant(policy, grant, all);
      return [{ merge: (policy) => (before && add(policy) !== policy ? add(without(before)(policy)) : add(policy)) }];
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
