import { inBodyOrQuery } from "../api/body-or-query";
import type { Client } from "../api/client";
import { operations } from "../api/operations";
import type { Id } from "../values/id";
import { answeredPolicy } from "../values/policy";

export interface PolicySource {
  readonly sourceType: string;
  readonly sourceId: Id;
}

/** Empty if the object has no policy. */
export function viewPolicy(api: Client, { sourceType, sourceId }: PolicySource) {
  return inBodyOrQuery({ source_id: String(sourceId), source_type: sourceType }, (parameters) =>
    api.call(operations.viewObjectPolicy, { ...parameters, answer: answeredPolicy }),
  );
}
