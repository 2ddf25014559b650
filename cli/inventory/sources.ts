import type { Place } from "../pulumi/run";
import { namesIn, namesOf, readConfig, readState, readStateFile, type StackConfig } from "../pulumi/stack";
import type { Source } from "./accounts";

/** A stack of the project, with its state and its settings. */
export async function readStack(place: Place): Promise<Source & { readonly config: StackConfig }> {
  const [{ resources: state }, config] = await Promise.all([readState(place), readConfig(place)]);
  return { state, config, ...(await namesOf(place, state)) };
}

/** The state in a file that "pulumi stack export" has written. */
export function readFile(file: string): Source {
  const { resources: state } = readStateFile(file);
  const { project, stack } = namesIn(state) ?? { project: "", stack: "an empty state" };
  return { project, stack, state, file };
}
