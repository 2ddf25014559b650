import { expect } from "vitest";
import type { Outcome } from "./stack";

export async function expectOk(running: Promise<Outcome>): Promise<Outcome> {
  const outcome = await running;
  expect(outcome.code, outcome.text).toBe(0);
  return outcome;
}

/** What happened to the resource `it`. */
export function kindOf({ changed }: Outcome): string {
  const op = changed["it"];
  if (op === undefined) return "same";
  return op === "update" ? "update" : /replace|delete|create/.test(op) ? "replace" : op;
}
