import type { AnyResource } from "./define";
import { unknownValue } from "./engine-values";
import { type Properties, pick, withoutUndefined } from "./properties";

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

/**
 * What the core itself keeps in a state beside the inputs and outputs of a resource. Most states have none of it, and
 * definitions never see it.
 */

/** Inputs that an import could not read. */
const unseen = "__unseen";
/** A write whose outcome is open: the next `up` repeats it. */
const open = "__open";

/** The account whose token created a resource without an `accountId` output. */
const account = "__account";

/** The platform cannot change the resource in place, although the extended API is on: the next change replaces it. */
const fixed = "__fixed";

const names = [unseen, open, account, fixed] as const;

export function bookkeepingOf(state: Properties): Properties {
  return pick(state, names);
}

export function withoutBookkeeping(state: Properties): Properties {
  if (!names.some((name) => name in state)) return state;
  return Object.fromEntries(Object.entries(state).filter(([name]) => !(names as readonly string[]).includes(name)));
}

export function markUnseen(inputs: readonly string[]): Properties {
  return inputs.length > 0 ? { [unseen]: [...inputs] } : {};
}

/** Undefined for a state that was not imported, or was imported by a version that did not record it. */
export function unseenIn(state: Properties): readonly string[] | undefined {
  const recorded = state[unseen];
  return Array.isArray(recorded) ? (recorded as string[]) : undefined;
}

export function markOpen(): Properties {
  return { [open]: true };
}

export function isOpen(state: Properties): boolean {
  return state[open] === true;
}

export function markAccount(id: string | undefined): Properties {
  return id === undefined ? {} : { [account]: id };
}

export function accountIn(state: Properties): string | undefined {
  const recorded = state[account];
  return typeof recorded === "string" ? recorded : undefined;
}

export function markFixed(): Properties {
  return { [fixed]: true };
}

export function isFixed(state: Properties): boolean {
  return state[fixed] === true;
}
