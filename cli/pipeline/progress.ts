import { unknownValue } from "../../provider/core/engine-values";
import { isDefaultProvider } from "../../provider/core/urn";
import { shortName } from "../pulumi/subject";
import { masked, type Planned } from "./planned";
import { canonical, type Exported, type StateResource } from "./state";

/** What a run that failed has done of its plan. Each is `operation` and name. */
export interface Progress {
  readonly done: readonly string[];
  readonly open: readonly string[];
  /** The engine was stopped in the middle of these. */
  readonly unknown: readonly string[];
}

/**
 * Read from the state before and after, whatever the program or its output says: the engine records each step when it is
 * done, and does nothing that the plan does not have.
 */
export function progressOf(planned: readonly Planned[], before: Exported, after: Exported): Progress {
  const [was, is] = [resourcesIn(before), resourcesIn(after)];
  const pending = new Set((after.deployment?.pending_operations ?? []).map(({ resource }) => resource?.urn));
  const found: Record<keyof Progress, string[]> = { done: [], open: [], unknown: [] };
  for (const one of planned) {
    if (one.op === "same" || one.isMade || isDefaultProvider(one.urn)) continue;
    const { state, words = "" } = pending.has(one.urn)
      ? { state: "unknown" as const }
      : stateOf(one, was.get(one.urn), is.get(one.urn));
    found[state].push(`${one.op} ${shortName(one.urn)}${words}`);
  }
  return found;
}

interface Found {
  readonly current: StateResource | undefined;
  /** One that was replaced, and is still to be deleted. */
  readonly isLeft: boolean;
}

function stateOf(
  { op, after }: Planned,
  was: Found | undefined,
  is: Found | undefined,
): { readonly state: "done" | "open"; readonly words?: string } {
  const [old, now] = [was?.current, is?.current];
  if (op === "delete" || op === "discard") return { state: now ? "open" : "done" };
  if (op === "replace" && old && !now)
    return { state: "done", words: ": the old one is deleted, there is no new one yet" };
  if (!now || (old && ["id", "created", "modified"].every((field) => old[field] === now[field])))
    return { state: "open" };
  // A refresh, which comes first in a repair, also writes the state: with the inputs that it found.
  const isAsPlanned = op !== "update" || canonical(masked(now.inputs ?? {})) === canonical(masked(after ?? {}));
  if (!isAsPlanned && !canonical(after ?? {}).includes(unknownValue)) return { state: "open" };
  return { state: "done", ...(is?.isLeft ? { words: ": the old one is still to be deleted" } : {}) };
}

function resourcesIn({ deployment }: Exported): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (const resource of deployment?.resources ?? []) {
    const known = found.get(resource.urn);
    // Deleted before its replacement is created.
    const isGone = resource["delete"] === true || resource["pendingReplacement"] === true;
    found.set(resource.urn, {
      current: isGone ? known?.current : resource,
      isLeft: (known?.isLeft ?? false) || resource["delete"] === true,
    });
  }
  return found;
}
