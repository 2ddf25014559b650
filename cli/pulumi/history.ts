import { z } from "zod";
import { type Place, pulumi, stackFlags } from "./run";
import { parseOutput } from "./stack";

const History = z.array(
  z.looseObject({
    /** `update`, `refresh`, `import`, `destroy`, … */
    kind: z.string(),
    startTime: z.string(),
    result: z.string().optional(),
    resourceChanges: z.record(z.string(), z.number()).nullish(),
  }),
);

/**
 * When a refresh last changed the inputs in the state, if no `up` has succeeded since. Such inputs are what the platform
 * showed: nothing in the state remembers what the program declared.
 */
export async function refreshSinceLastUp(place: Place): Promise<string | undefined> {
  const text = await pulumi(["stack", "history", "--json", "--page-size", "100", ...stackFlags(place)], place.cwd);
  return refreshIn(parseOutput("pulumi stack history", History, text));
}

export function refreshIn(newestFirst: z.output<typeof History>): string | undefined {
  const lastUp = newestFirst.findIndex(({ kind, result }) => kind === "update" && result === "succeeded");
  const since = lastUp < 0 ? newestFirst : newestFirst.slice(0, lastUp);
  // Outputs that change by themselves, such as the progress of a command, count as "same".
  return since.find(({ kind, resourceChanges }) => {
    const { update = 0, delete: gone = 0 } = resourceChanges ?? {};
    return kind === "refresh" && update + gone > 0;
  })?.startTime;
}
