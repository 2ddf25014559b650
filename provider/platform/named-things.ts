import { isPlatformError, leavesOutcomeOpen } from "../api/errors";
import { PartialSuccess } from "../core/define";
import { asNumber, type Id } from "../values/id";
import { isNumeric } from "./references";

/** What roles and groups have in common: a unique name, an id that may stay unknown for a while, and a source. */

/** What identifies one: its id, or its name while the id is unknown and on import. */
export function targetOf(id: string, name: string | undefined): string {
  return isNumeric(id) ? id : (name ?? id);
}

/**
 * The error of a create. An open outcome is kept under the name, so that the thing is neither lost nor created twice;
 * `unset`: what the state must not claim.
 */
export function afterCreate(type: "Group" | "Role", error: unknown, name: string, unset: object = {}): unknown {
  if (leavesOutcomeOpen(error))
    return new PartialSuccess(
      name,
      { ...unset },
      error.with(`${error.message}. It may exist: run "pulumi up" again to find or create it`),
    );
  if (!isPlatformError(error, "conflict")) return error;
  return error.with(
    `${error.message}. If a ${type.toLowerCase()} ${name} exists, import it: pulumi import dataplatform:index:${type} <name> ${JSON.stringify(name)}`,
  );
}

interface Shown {
  readonly source?: string | null | undefined;
  readonly account_id?: Id | undefined;
}

export function outputsOf(record: Shown | undefined): { source?: string; accountId?: number } {
  const { source, account_id } = record ?? {};
  return {
    ...(source && { source }),
    ...(account_id !== undefined && { accountId: asNumber(account_id) as number }),
  };
}
