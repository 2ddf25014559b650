import { isOpen, unseenIn } from "./bookkeeping";
import type { AnyResource } from "./define";
import { containsUnknown, knownOf } from "./unknowns";
import { deepEqual, type Properties } from "./values";

export interface Difference {
  /** Inputs that changed in meaning. */
  readonly changed: readonly string[];
  /** Those among them that make a new resource. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Inputs that an import could not find out. */
  readonly unseen: readonly string[];
  /** Whether the outcome of the last write is open: an update does it again, though nothing has changed. */
  readonly redo: boolean;
}

/** What a change of inputs means. Pure: compares the state with the new inputs and asks nobody. */
export function diffInputs(definition: AnyResource, state: Properties, inputs: Properties): Difference {
  const known = knownOf(inputs);
  const unfinished: readonly string[] = definition.unfinished?.(state, known) ?? [];
  const unseen = unseenInputs(definition, state);
  const changed = inputNames(definition).filter(
    (name) =>
      !unseen.includes(name) &&
      (containsUnknown(inputs[name]) ||
        unfinished.includes(name) ||
        !sameInput(definition, name, state[name], inputs[name], known)),
  );
  const replaceOn: "all" | readonly string[] = definition.replaceOn;
  const replaces = replaceOn === "all" ? changed : changed.filter((name) => replaceOn.includes(name));
  return {
    changed,
    replaces,
    deleteBeforeReplace: definition.deleteBeforeReplace ?? false,
    unseen,
    redo: isOpen(state),
  };
}

/** Whether two values of an input mean the same: as the resource says, else as JSON. An absent one means its default. */
export function sameInput(
  definition: AnyResource,
  name: string,
  left: unknown,
  right: unknown,
  beside: Properties = {},
): boolean {
  // Most inputs have not changed: no default is worked out for them.
  if (deepEqual(left, right)) return true;
  const [a, b] = [left ?? defaultOf(definition, name), right ?? defaultOf(definition, name)];
  if (deepEqual(a, b)) return true;
  const same = definition.same?.[name];
  return same !== undefined && a !== undefined && b !== undefined && same(a, b, beside);
}

function defaultOf(definition: AnyResource, name: string): unknown {
  return definition.inputs.shape[name].safeParse(undefined).data ?? undefined;
}

/**
 * Inputs that an import could not find out: what the program then says about them is taken as true. That holds until
 * the program has said so once; from then on the state has them.
 */
function unseenInputs(definition: AnyResource, state: Properties): string[] {
  const isAbsent = (name: string): boolean => state[name] === undefined;
  const noted = unseenIn(state);
  if (noted) return noted.every(isAbsent) ? [...noted] : [];
  // Versions before 0.2 noted nothing. No program can leave out a required input, or all of them.
  const names = inputNames(definition);
  return requiredInputs(definition).some(isAbsent) || names.every(isAbsent) ? names.filter(isAbsent) : [];
}

const required = new WeakMap<AnyResource, readonly string[]>();

function requiredInputs(definition: AnyResource): readonly string[] {
  const known = required.get(definition);
  if (known) return known;
  const found = inputNames(definition).filter((name) => !definition.inputs.shape[name].safeParse(undefined).success);
  required.set(definition, found);
  return found;
}

export function inputNames(definition: AnyResource): string[] {
  return Object.keys(definition.inputs.shape);
}
