import type { Outcome, Program, TestStack } from "../../harness/stack";

/** Where commands end at once. */
export const quick = { waitSeconds: 0, runSeconds: 0 };

export async function urnsIn(stack: TestStack): Promise<string[]> {
  return (await stack.exportState()).resources.map(({ urn }) => urn);
}

/** The program with a new logical name for every resource, so that the engine sees new resources. */
export function renamed(program: Program, suffix: string): Program {
  return Object.fromEntries(Object.entries(program).map(([name, spec]) => [`${name}-${suffix}`, spec]));
}

export function flagged(flag: string, values: readonly string[]): string[] {
  return values.flatMap((value) => [flag, value]);
}

/** The same step for every resource. */
export function everyOne(program: Program, op: string): Record<string, string> {
  return Object.fromEntries(Object.keys(program).map((name) => [name, op]));
}

export function messagesOf({ diagnostics }: Outcome): string {
  return diagnostics.map(({ message }) => message).join("\n");
}
