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
  /** Created or updated, as planned. */
  readonly written: readonly Managed[];
  /** The state of updated resources before that. */
  readonly updated: readonly Managed[];
  readonly deleted: readonly Deleted[];
  /** Imported: they are in the plan, but nothing changes on the platform. */
  readonly imported: readonly Managed[];
  /** By URN, the resources that each property of what is written comes from. */
  readonly dependencies: ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>;
}
export interface Deleted {
  readonly resource: Managed;
  /** Removed from the state only. */
  readonly isRetained: boolean;
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

function planOf({ steps }: Digest, state: readonly StateResource[]): Plan {
  const known = new Map(managedResources(state).map((resource) => [resource.urn, resource]));
  const all = steps ?? [];
  const after = (ops: RegExp) =>
    all.filter(({ op }) => ops.test(op)).flatMap(({ newState }) => managedResources(newState ? [newState] : []));
  // A plan masks secrets; the state shows them.
  const before = (old: PlannedState | null | undefined) =>
    old ? [known.get(old.urn) ?? managedResources([old])[0]].filter((found) => found !== undefined) : [];
  const removed = all.filter(({ op }) => op === "delete" || op === "delete-replaced");
  const gone = new Set(removed.map(({ oldState }) => oldState?.urn));
  return {
    written: after(/^(create|create-replacement|update)$/),
    updated: all.filter(({ op }) => op === "update").flatMap(({ oldState }) => before(oldState)),
    imported: after(/^import(-replacement)?$/),
    dependencies: new Map(
      all.flatMap(({ newState }) => {
        const found = Dependencies.safeParse(newState?.["propertyDependencies"]).data;
        return newState && found ? [[newState.urn, found] as const] : [];
      }),
    ),
    deleted: removed.flatMap(({ oldState }) =>
      before(oldState).map((resource) => ({
        resource,
        isRetained: oldState?.["retainOnDelete"] === true || gone.has(oldState?.["deletedWith"] as string),
      })),
    ),
  };
}
