import { expect } from "vitest";
import type { Outcome } from "./stack";

export async function expectOk(running: Promise<Outcome>): Promise<Outcome> {
  const outcome = await running;
  expect(outcome.code, outcome.text).toBe(0);
  return outcome;
}

/** What happened to a resource. */
export function kindOf({ changed }: Outcome, name = "it"): string {
  const op = changed[name];
  if (op === undefined) return "same";
  return op === "update" ? "update" : /replace|delete|create/.test(op) ? "replace" : op;
}
