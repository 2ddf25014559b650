import { checkInputs } from "./check";
import type { AnyResource } from "./define";
import { containsUnknown } from "./unknowns";
import { deepEqual, type Properties, pick } from "./values";

export interface Difference {
  /** Inputs that changed in meaning. */
  readonly changed: readonly string[];
  /** Those among them that make a new resource. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** What a change of inputs means. Pure: compares the state with the new inputs and asks nobody. */
export function diffInputs(definition: AnyResource, state: Properties, inputs: Properties): Difference {
  const known = Object.fromEntries(Object.entries(inputs).filter(([, value]) => !containsUnknown(value)));
  const unfinished: readonly string[] = definition.unfinished?.(state, known) ?? [];
  const unseen = isIncomplete(definition, state);
  const changed = inputNames(definition).filter(
    (name) =>
      !(unseen && state[name] === undefined) &&
      (containsUnknown(inputs[name]) ||
        unfinished.includes(name) ||
        !sameInput(definition, name, state[name], inputs[name], known)),
  );
  const replaceOn: "all" | readonly string[] = definition.replaceOn;
  const replaces = replaceOn === "all" ? changed : changed.filter((name) => replaceOn.includes(name));
  return { changed, replaces, deleteBeforeReplace: definition.deleteBeforeReplace ?? false };
}

/** Whether two values of an input mean the same: as the resource says, else as JSON. An absent one means its default. */
export function sameInput(
  definition: AnyResource,
  name: string,
  left: unknown,
  right: unknown,
  beside: Properties = {},
): boolean {
  const [a, b] = [left ?? defaultOf(definition, name), right ?? defaultOf(definition, name)];
  if (deepEqual(a, b)) return true;
  const same = definition.same?.[name];
  return same !== undefined && a !== undefined && b !== undefined && same(a, b, beside);
}

function defaultOf(definition: AnyResource, name: string): unknown {
  return definition.inputs.shape[name].safeParse(undefined).data ?? undefined;
}

/**
 * Whether the inputs in the state could not have come from a program, because it would have had to give more: then the
 * resource was imported, and the API could not show the rest. What the program says about that is taken as true.
 */
function isIncomplete(definition: AnyResource, state: Properties): boolean {
  return checkInputs(definition, pick(state, inputNames(definition))).length > 0;
}

export function inputNames(definition: AnyResource): string[] {
  return Object.keys(definition.inputs.shape);
}
