import { containsUnknown } from "../../provider/core/engine-values";
import { type Grant, hasGrant, withGrant, withoutGrant } from "../../provider/values/grant";
import { allOfFolders, allOfObjects, type Policy } from "../../provider/values/policy";
import type { Managed } from "../pulumi/managed";
import type { Later } from "./later";
import type { Deleted } from "./plan";
import { afterUp, containsMask, elementsIn, hiddenBySecret, type PolicyState } from "./policy";
import type { Kind } from "./target";

export interface Where {
  readonly kind: Kind;
  readonly extendedApi: boolean;
  /** What the plan knows about values that only the update decides. */
  readonly later: Later;
}

/** What a plan does to the policy of one object or folder. */
export interface PlannedChange {
  readonly written: readonly Managed[];
  readonly updated: readonly Managed[];
  readonly deleted: readonly Deleted[];
}

const properties = ["user", "group", "allow", "deny"] as const;

/** What a policy becomes when the plan adds, changes and takes out grants. */
export function afterGrants(before: PolicyState, planned: PlannedChange, where: Where): PolicyState {
  const edits = editsOf(planned, where);
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

type Edit = { readonly merge: (policy: Policy) => Policy } | Extract<PolicyState, { readonly unknown: string }>;

function editsOf({ written, updated, deleted }: PlannedChange, where: Where): Edit[] {
  const all = actionsIn(where.kind);
  const removed = deleted.filter(
    ({ resource, isRetained }) => isGrant(resource) && !isRetained && canRemove(resource, where),
  );
  const without =
    ({ state }: Managed) =>
    (policy: Policy) =>
      withoutGrant(policy, state as unknown as Grant, { all, namedBefore: state["namedBefore"] !== false });
  return [
    ...removed.map(({ resource }) => ({ merge: without(resource) })),
    ...written.filter(isGrant).map((resource): Edit => {
      const grant = grantOf(resource);
      if (grant === afterUp) return { ...afterUp, unknown: where.later.grant(resource) };
      if ("unknown" in grant) return grant;
      const old = updated.find(
        ({ urn, name, type }) => urn === resource.urn || (name === resource.name && type === resource.type),
      );
      const add = (policy: Policy) => withGrant(policy, grant, all);
      return { merge: (policy) => (old && add(policy) !== policy ? add(without(old)(policy)) : add(policy)) };
    }),
  ];
}

export function isGrant({ type }: Managed): boolean {
  return type === "ObjectGrant" || type === "FolderGrant";
}

function actionsIn(kind: Kind): readonly string[] {
  return kind === "folder" ? allOfFolders : allOfObjects;
}

/** Without the extended API, destroy cannot change the policy of an environment or of a folder. */
function canRemove({ state }: Managed, { kind, extendedApi }: Where): boolean {
  return extendedApi || (kind === "object" && state["sourceType"] !== "environment");
}

function grantOf({ state, secretNames }: Managed): Grant | Extract<PolicyState, { readonly unknown: string }> {
  const { user, group, allow, deny } = state as unknown as Grant;
  const values = [user, group, allow, deny];
  if (properties.some((name) => secretNames.has(name)) || containsMask(values)) return hiddenBySecret;
  return containsUnknown(values) ? afterUp : { user, group, allow, deny };
}

/** Whether the program marks what the resource grants as a secret. */
export function isHidden(resource: Managed): boolean {
  return isGrant(resource) && properties.some((name) => resource.secretNames.has(name));
}

/** Whether a policy holds the grant of a resource in the state. */
export function holds(policy: Policy, resource: Managed, kind: Kind): boolean {
  const grant = grantOf(resource);
  return "unknown" in grant || hasGrant(policy, grant, actionsIn(kind));
}
