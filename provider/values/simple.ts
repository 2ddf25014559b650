import { z } from "zod";

/** Kinds of inputs that many definitions have. */

/** On or off; its description says what it is if it is not set. */
export const flag = z.boolean().optional();

/** Marks a property, with `.meta(secret)`, as encrypted in the state and never shown. */
export const secret = { secret: true };

export const filledText = z.string().min(1, "must not be empty");

export function atLeast(least: number) {
  return z.int().min(least, `must be at least ${least}`);
}

/** An integer in a range, with the unit in the error message. */
export function amount(lowest: number, highest: number, unit: string) {
  const range = highest === Number.MAX_SAFE_INTEGER ? `${lowest} or more` : `${lowest} to ${highest}`;
  return within(lowest, highest, `${range} ${unit}`);
}

export function within(lowest: number, highest: number, expected: string) {
  const error = ({ input }: { readonly input?: unknown }) => `is ${String(input)}; expected ${expected}`;
  return z.int().min(lowest, { error }).max(highest, { error });
}
