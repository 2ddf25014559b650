import { z } from "zod";

/** Kinds of inputs that many definitions have. */

/** On or off; its description says what it is if it is not set. */
export const flag = z.boolean().optional();

export const filledText = z.string().min(1, "must not be empty");

export function atLeast(least: number) {
  return z.int().min(least, `must be at least ${least}`);
}
