import { type Properties, pick } from "./values";

/**
 * What the core itself keeps in a state, beside the inputs and outputs of a resource. Absent in most states, and never
 * seen by a definition.
 */

/** Inputs that an import could not find out. */
const unseen = "__unseen";
/** A write whose outcome was open: the next `up` does it again. */
const open = "__open";

/** The account whose token made a resource that has no output to say so. */
const account = "__account";

const names = [unseen, open, account] as const;

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

/** Undefined for a state that was not imported, or was by a version that did not note it. */
export function unseenIn(state: Properties): readonly string[] | undefined {
  const noted = state[unseen];
  return Array.isArray(noted) ? (noted as string[]) : undefined;
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
  const noted = state[account];
  return typeof noted === "string" ? noted : undefined;
}
