import { inBodyOrQuery } from "../api/body-or-query";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import type { Id } from "../values/id";
import { shownPolicy } from "../values/policy";

export interface PolicySource {
  readonly sourceType: string;
  readonly sourceId: Id;
}

/** The policy of an object; empty when it has none. */
export function viewPolicy(api: Client, { sourceType, sourceId }: PolicySource) {
  return inBodyOrQuery({ source_id: String(sourceId), source_type: sourceType }, (parameters) =>
    api.call(operations.viewObjectPolicy, { ...parameters, answer: shownPolicy }),
  );
}
