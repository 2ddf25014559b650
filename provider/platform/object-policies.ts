import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import type { Id } from "../values/id";
import { answeredPolicy, encodePolicy, type Policy } from "../values/policy";

/** The specified API cannot set the policy of an environment. */
const specifiedTypes = ["note", "cluster", "scheduler"] as const;
export const sourceTypes = [...specifiedTypes, "environment"] as const;
export type SourceType = (typeof sourceTypes)[number];

export interface PolicySource {
  readonly sourceType: string;
  readonly sourceId: Id;
}

/** Whether the specified API can set the policy of such an object. */
export function isSpecified(sourceType: string): boolean {
  return specifiedTypes.some((known) => known === sourceType);
}

/** The types of objects whose policies can be set. */
export function typesOf(isExtended: boolean): readonly SourceType[] {
  return isExtended ? sourceTypes : specifiedTypes;
}

/** `ObjectPolicy` declares this key, and `ObjectGrant` adds to it. */
export function objectPolicyKey({ sourceType, sourceId }: PolicySource): string {
  return `policy of ${sourceType}/${sourceId}`;
}

/** Empty if the object has no policy. */
export function viewPolicy(api: Client, { sourceType, sourceId }: PolicySource) {
  const body = { source_id: String(sourceId), source_type: sourceType };
  return api.call(operations.viewObjectPolicy, { body, answer: answeredPolicy });
}

export function setPolicy(api: Client, { sourceType, sourceId }: PolicySource, policy: Policy): Promise<unknown> {
  return api.call(operations.setObjectPolicy, {
    body: { source_id: String(sourceId), source_type: sourceType, policy: encodePolicy(policy) },
    answer: anyAnswer,
  });
}
