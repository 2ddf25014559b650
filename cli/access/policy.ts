import { containsUnknown } from "../../provider/core/engine-values";
import { unknownConditionsOf } from "../../provider/values/element";
import { asNumber, type Id } from "../../provider/values/id";
import type { Policy } from "../../provider/values/policy";
import type { PlainPolicy } from "../../sdk/prepared-policy";
import type { Managed } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";

/** Why these properties of a resource are not shown: the program marks them as a secret, or only the update decides them. */
export function whyHidden(
  { state, secretNames }: Managed,
  properties: readonly string[],
): "secret" | "after up" | undefined {
  const values = properties.map((name) => state[name]);
  if (properties.some((name) => secretNames.has(name)) || containsMask(values)) return "secret";
  return containsUnknown(values) ? "after up" : undefined;
}

/** In a plan. */
function containsMask(value: unknown): boolean {
  if (value === maskedSecret) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsMask);
}

/** A policy, or why it is not known. */
export type PolicyState =
  | {
      readonly elements: PlainPolicy;
      readonly from: "platform" | "state" | "plan";
      readonly notes?: readonly string[];
    }
  | {
      readonly unknown: string;
      /** Nothing failed: the value is computed during the update, or the program hides it. */
      readonly isExpected?: boolean;
    };

export type Unknown = Extract<PolicyState, { readonly unknown: string }>;

export const afterUp: Unknown = { unknown: "known only after up", isExpected: true };
export const hiddenBySecret: Unknown = {
  unknown: "not shown: the program marks the policy as a secret",
  isExpected: true,
};

/** Undefined if all of these properties are shown. */
export function hiddenIn(resource: Managed, properties: readonly string[]): Unknown | undefined {
  const why = whyHidden(resource, properties);
  return why && (why === "secret" ? hiddenBySecret : afterUp);
}

/** A policy that a resource declares, in the state or in a plan. */
export function declaredPolicy(resource: Managed, property: string, from: "state" | "plan"): PolicyState | undefined {
  const value = resource.state[property];
  if (value === undefined) return undefined;
  const hidden = hiddenIn(resource, [property]);
  if (hidden) return hidden;
  const elements = elementsIn(value);
  return elements ? { elements, from } : { unknown: `${property} is not a list of policy elements` };
}

/** With numeric ids as numbers, so that they can be compared. */
export function elementsIn(value: unknown): PlainPolicy | undefined {
  if (!Array.isArray(value) || !value.every((element) => typeof element === "object" && element !== null))
    return undefined;
  return value.map(({ access, action, condition }: PlainPolicy[number]) => {
    const element = { access, ...(action ? { action } : {}) };
    if (!condition) return element;
    const { svcUsers, svcGroups } = condition;
    const lists = { ...(svcUsers && { svcUsers: ids(svcUsers) }), ...(svcGroups && { svcGroups: ids(svcGroups) }) };
    return { ...element, condition: lists };
  }) as PlainPolicy;
}

function ids(list: readonly Id[]): number[] {
  // Ids that are text stay text: they are only compared.
  return list.map(asNumber) as number[];
}

/** Parts of conditions that this package does not know, and so does not take into account. */
export function unknownConditions(policy: Policy): string[] {
  return policy.flatMap((element, index) =>
    unknownConditionsOf(element).map(
      (name) =>
        `element ${index} also has the condition ${JSON.stringify(name)}, which is not documented and not taken into account`,
    ),
  );
}
