import type { CheckFailure, CheckRequest } from "./check";
import type { AnyResource } from "./define";
import type { Properties } from "./properties";

/**
 * Empty lists that a program must leave out instead. A read may find nothing of one, and with `ignoreChanges` the engine puts
 * an input of the state in the program's place: so what was read is told as a part of the state, and never as an input.
 */
export function emptyLists({ inputs: schema }: AnyResource, inputs: Properties): string[] {
  const isEmpty = (name: string) => Array.isArray(inputs[name]) && (inputs[name] as unknown[]).length === 0;
  return Object.keys(schema.shape).filter((name) => isEmpty(name) && schema.shape[name].meta()?.["leftOutIfEmpty"]);
}

/** Where an earlier version has told one as an input, the program cannot leave it out. */
export function emptyListFailures(
  definition: AnyResource,
  inputs: Properties,
  { old = {} }: Pick<CheckRequest, "old">,
): CheckFailure[] {
  const before = emptyLists(definition, old);
  const isNew = (name: string) => !before.includes(name);
  return emptyLists(definition, inputs)
    .filter(isNew)
    .map((property) => ({ property, reason: "is empty; omit it instead" }));
}
