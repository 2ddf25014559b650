import { checkInputs } from "./check";
import type { AnyResource } from "./define";
import { containsUnknown, knownOf } from "./engine-values";
import { deepEqual, type Properties, pick } from "./properties";
import { isRespelled, mayMeanTheSame } from "./spelling";
import { bookkeepingOf } from "./state";

export interface Difference {
  /** Inputs that changed in meaning. */
  readonly changed: readonly string[];
  /** Those that replace the resource. */
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** Inputs that an import could not read. */
  readonly unseen: readonly string[];
  /** Whether the outcome of the last write is open: an update repeats it, even if nothing has changed. */
  readonly redo: boolean;
}

/** What a change of inputs means. Pure: compares the state with the new inputs and sends nothing. */
export function diffInputs(definition: AnyResource, state: Properties, inputs: Properties): Difference {
  const isUnmet = (name: string) => name === "wait" && inputs[name] && definition.job?.isDone(state) === false;
  const unseen = unseenInputs(definition, state);
  const differing = changedInputs(definition, state, inputs);
  // An import reads what the platform chose. Without a value there is nothing to send, unless a new resource is made.
  const isLeft = (name: string) =>
    inputs[name] === undefined &&
    !definition.replaceOn.includes(name) &&
    definition.inputs.shape[name].meta()?.["leftToPlatform"] === true;
  const changed = inputNames(definition).filter(
    (name) => !unseen.includes(name) && (isUnmet(name) || (differing.includes(name) && !isLeft(name))),
  );
  return {
    changed,
    replaces: changed.filter((name) => definition.replaceOn.includes(name)),
    deleteBeforeReplace: deletesFirst(definition, state, inputs),
    unseen,
    redo: bookkeepingOf(state).__open === true,
  };
}

/**
 * Whether a replacement deletes before it creates. Where it need not, what a create cannot do costs nothing: the old one
 * is still there. An unknown key is that of something new.
 */
function deletesFirst({ keys }: AnyResource, state: Properties, inputs: Properties): boolean {
  if (keys?.deleteFirst !== "if same") return keys?.deleteFirst ?? false;
  const [old, given] = [keys.of(knownOf(state)), keys.of(knownOf(inputs))];
  return old.some((one) => given.some((other) => mayMeanTheSame(one, other)));
}

/** Inputs that have changed in meaning, or may have. */
export function changedInputs(definition: AnyResource, old: Properties, inputs: Properties): string[] {
  const known = { ...pick(old, Object.keys(definition.outputs.shape)), ...knownOf(inputs) };
  return inputNames(definition).filter(
    (name) => containsUnknown(inputs[name]) || !sameInput(definition, name, old[name], inputs[name], known),
  );
}

/** Whether two values of an input mean the same: as the resource says, else as JSON. An absent one means its default. */
export function sameInput(
  definition: AnyResource,
  name: string,
  left: unknown,
  right: unknown,
  beside: Properties = {},
): boolean {
  // Most inputs have not changed, and need no default.
  if (deepEqual(left, right)) return true;
  const [a, b] = [left ?? defaultOf(definition, name), right ?? defaultOf(definition, name)];
  if (deepEqual(a, b)) return true;
  const same = definition.same?.[name];
  return same !== undefined && a !== undefined && b !== undefined && same(a, b, beside);
}

function defaultOf(definition: AnyResource, name: string): unknown {
  const schema = definition.inputs.shape[name];
  return schema.safeParse(undefined).data ?? schema.meta()?.["meansWhenAbsent"];
}

/**
 * Inputs that an import could not read: the values in the program are assumed to be correct, until the first `up` has
 * written them to the state.
 */
function unseenInputs(definition: AnyResource, state: Properties): string[] {
  const isAbsent = (name: string): boolean => state[name] === undefined;
  const recorded = bookkeepingOf(state).__unseen;
  if (recorded) return recorded.every(isAbsent) ? [...recorded] : [];
  // Versions before 0.2 recorded nothing. No program can omit a required input, or all inputs.
  const absent = inputNames(definition).filter(isAbsent);
  const isRequired = (name: string): boolean => !definition.inputs.shape[name].isOptional();
  return absent.some(isRequired) || absent.length === inputNames(definition).length ? absent : [];
}

/**
 * What is known about a resource: its outputs, which alone tell what an update did that failed half-way, and of the inputs
 * that the program gave last, those that an import could not read.
 */
export function knownState(definition: AnyResource, inputs: Properties, outputs: Properties): Properties {
  return { ...pick(inputs, unseenInputs(definition, outputs)), ...outputs };
}

export function inputNames(definition: AnyResource): string[] {
  return Object.keys(definition.inputs.shape);
}

/**
 * The state, overlaid with what the platform shows. An input keeps the user's spelling where it means the same, and one
 * that the user never set stays unset: a platform default is not drift, except where the
 * schema says that there is none (`hasNoDefault`).
 */
export function reconcile(
  definition: AnyResource,
  state: Properties,
  visible: Properties,
  importing: boolean,
): Properties {
  const merged: Properties = { ...state };
  const inputs = new Set(inputNames(definition));
  for (const [name, value] of Object.entries(visible)) {
    if (inputs.has(name)) {
      if (!importing && state[name] === undefined && !hasNoDefault(definition, name)) continue;
      if (sameInput(definition, name, state[name], value, state)) continue;
      // Where the API can only replace it, another case of letters is not worth a second account; and a platform that
      // keeps names in small letters would be told the same name for ever.
      const ignoreCase = definition.replaceOn.includes(name) || ["name", definition.keys?.property].includes(name);
      if (isRespelled(state[name], value, { ignoreCase })) continue;
    }
    merged[name] = value;
  }
  return merged;
}

function hasNoDefault(definition: AnyResource, name: string): boolean {
  return definition.inputs.shape[name].meta()?.["hasNoDefault"] === true;
}

/** Inputs that an import could not read: none, if everything that a program must supply was found. */
export function unseenAfterImport(definition: AnyResource, found: Properties, visible: Properties): string[] {
  const inputs = pick(found, inputNames(definition));
  if (!definition.importId.showsPart && checkInputs(definition, inputs).length === 0) return [];
  // What is shown and is the default is left out of what was found.
  return inputNames(definition).filter((name) => found[name] === undefined && visible[name] === undefined);
}
