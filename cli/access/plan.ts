import { z } from "zod";
import { readText } from "../files";
import { type Managed, managedResources } from "../pulumi/managed";
import { type Digest, digestIn, errorsIn, type PlannedState } from "../pulumi/preview";
import { type Place, stackFlags, tryPulumi } from "../pulumi/run";
import type { StateResource } from "../pulumi/stack";

const Dependencies = z.record(
  z.string(),
  z
    .array(z.string())
    .nullable()
    .transform((urns) => urns ?? []),
);

/** What an update would do with resources of ours. Those that it leaves alone are not in a plan. */
export interface Plan {
  readonly steps: readonly Step[];
  /** Imported, or removed from the state only: nothing changes on the platform. */
  readonly untouched: readonly Managed[];
}

/** What is written has an `after`, and what existed a `before`. */
export interface Step {
  readonly before?: Managed | undefined;
  readonly after?: Managed | undefined;
  /** For each property of what is written, the URNs of the resources that it comes from. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

/** As planned or, if it is deleted, as it was. */
export function resourceIn({ before, after }: Step): Managed {
  return (after ?? before)!;
}

/** The groups that a property comes from, and that do not exist yet. */
export function newGroupsIn({ sources }: Step, property: string, steps: Plan["steps"]): Managed[] {
  const created = steps.flatMap(({ before, after }) => (after?.type === "Group" && !before ? [after] : []));
  return created.filter(({ urn }) => sources[property]?.includes(urn));
}

/** Runs a preview, which changes nothing. */
export async function previewPlan(place: Place, state: readonly StateResource[]): Promise<Plan> {
  const { code, stdout, stderr } = await tryPulumi(["preview", "--json", ...stackFlags(place)], place.cwd);
  const digest = digestIn(stdout);
  if (code === 0 && digest) return planOf(digest, state);
  const reason = [stderr.trim().replace(/^error: /, ""), ...errorsIn(digest).map(({ message }) => message)];
  throw new Error(
    `"pulumi preview --json" failed in ${place.cwd}: ${reason.filter(Boolean).join("\n") || `exit code ${code}`}`,
  );
}

/** Reads a plan that `pulumi preview --json` printed. */
export function planIn(file: string, state: readonly StateResource[]): Plan {
  const digest = digestIn(readText(`the plan ${file}`, file));
  if (!digest?.steps)
    throw new Error(
      `${file} is not a plan; write it with "pulumi preview --json > ${file}", and check that it succeeds`,
    );
  return planOf(digest, state);
}

function planOf({ steps: all }: Digest, state: readonly StateResource[]): Plan {
  const known = new Map(managedResources(state).map((resource) => [resource.urn, resource]));
  const removed = all?.filter(({ op }) => op === "delete" || op === "delete-replaced") ?? [];
  const gone = new Set<unknown>(removed.map(({ oldState }) => oldState?.urn));
  const steps: Step[] = [];
  const untouched: Managed[] = [];
  for (const step of all ?? []) {
    const { op, oldState, newState } = step;
    // A plan masks secrets; the state shows them.
    const before = (oldState && known.get(oldState.urn)) ?? managed(oldState);
    const after = managed(newState);
    const sources = Dependencies.safeParse(newState?.["propertyDependencies"]).data ?? {};
    if (removed.includes(step) && before) {
      if (oldState?.["retainOnDelete"] === true || gone.has(oldState?.["deletedWith"])) untouched.push(before);
      else steps.push({ before, sources });
    } else if (/^import(-replacement)?$/.test(op) && after) untouched.push(after);
    else if (/^create(-replacement)?$/.test(op) && after) steps.push({ after, sources });
    // A plan does not show the id of a resource that it updates.
    else if (op === "update" && after)
      steps.push({ before, after: { ...after, id: after.id || (before?.id ?? "") }, sources });
  }
  return { steps, untouched };
}

function managed(planned: PlannedState | null | undefined): Managed | undefined {
  return managedResources(planned ? [planned] : [])[0];
}
