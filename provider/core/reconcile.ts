import { checkInputs } from "./check";
import type { AnyResource } from "./define";
import { inputNames, sameInput } from "./diff";
import { type Properties, pick } from "./values";

/**
 * The state, overlaid with what the platform shows. An input keeps the user's spelling where it means the same, and one
 * that the user never set stays unset: a platform default is not drift. `neverDefault` names the exceptions.
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
      if (!importing && state[name] === undefined && !definition.neverDefault?.includes(name)) continue;
      if (sameInput(definition, name, state[name], value, state)) continue;
    }
    merged[name] = value;
  }
  return merged;
}

/** Inputs that an import could not read: none, if everything that a program must supply was found. */
export function unseenAfterImport(definition: AnyResource, found: Properties): string[] {
  const inputs = pick(found, inputNames(definition));
  if (!definition.importShowsPart && checkInputs(definition, inputs).length === 0) return [];
  return inputNames(definition).filter((name) => found[name] === undefined);
}
