import type { AnyResource } from "./define";
import { unknownValue } from "./unknowns";
import { type Properties, pick, withoutUndefined } from "./values";

/** The state after a create, as far as it is known beforehand: the inputs. */
export function stateAfterCreate(definition: AnyResource, inputs: Properties): Properties {
  return { ...unknownOutputs(definition), ...withoutUndefined(inputs) };
}

/** The state after an update, as far as it is known beforehand: the inputs, and the outputs that it cannot change. */
export function stateAfterUpdate(definition: AnyResource, state: Properties, inputs: Properties): Properties {
  const names = Object.keys(definition.outputs.shape);
  const settled: readonly string[] = definition.update ? (definition.settledOutputs ?? []) : names;
  return {
    ...(definition.update ? unknownOutputs(definition) : {}),
    ...pick(
      state,
      names.filter((name) => settled.includes(name)),
    ),
    ...withoutUndefined(inputs),
  };
}

function unknownOutputs(definition: AnyResource): Properties {
  return Object.fromEntries(Object.keys(definition.outputs.shape).map((name) => [name, unknownValue]));
}
