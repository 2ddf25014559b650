import type { AnyResource } from "./define";
import { unknownValue } from "./engine-values";
import { type Properties, pick, withoutUndefined } from "./properties";
import { inDeclaredForm } from "./spelling";

/** The state after a create, as far as it is known beforehand: the inputs. */
export function stateAfterCreate(definition: AnyResource, inputs: Properties): Properties {
  return { ...unknownOutputs(definition), ...declared(definition, inputs) };
}

/** The state after an update, as far as it is known beforehand: the inputs, and the outputs that it cannot change. */
export function stateAfterUpdate(definition: AnyResource, state: Properties, inputs: Properties): Properties {
  const settled = definition.update ? (definition.settledOutputs ?? []) : Object.keys(definition.outputs.shape);
  return {
    ...(definition.update ? unknownOutputs(definition) : {}),
    ...pick(state, settled),
    ...declared(definition, inputs),
  };
}

function declared({ inputs: schema }: AnyResource, inputs: Properties): Properties {
  return inDeclaredForm(schema, withoutUndefined(inputs)) as Properties;
}

export function unknownOutputs({ outputs }: Pick<AnyResource, "outputs">): Properties {
  return Object.fromEntries(Object.keys(outputs.shape).map((name) => [name, unknownValue]));
}

/**
 * What the core itself keeps in a state beside the inputs and outputs of a resource. Most states have none of it, and
 * definitions never see it.
 */
interface Bookkeeping {
  /** Inputs that an import could not read. Versions before 0.2 did not record them. */
  readonly __unseen?: readonly string[];
  /** A write whose outcome is open: the next `up` repeats it. */
  readonly __open?: true;
  /** The account whose token created a resource without an `accountId` output. */
  readonly __account?: string;
  /** The platform cannot change the resource in place, although the extended API is on: the next change replaces it. */
  readonly __fixed?: true;
}

const names: readonly (keyof Bookkeeping)[] = ["__unseen", "__open", "__account", "__fixed"];

export function bookkeepingOf(state: Properties): Bookkeeping {
  return pick(state, names);
}

export function withoutBookkeeping(state: Properties): Properties {
  if (!names.some((name) => name in state)) return state;
  return Object.fromEntries(Object.entries(state).filter(([name]) => !(names as readonly string[]).includes(name)));
}
