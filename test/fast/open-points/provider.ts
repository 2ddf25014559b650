import { expect } from "vitest";
import type { Emulator } from "../../../emulator";
import { definitionOf, inProcess, resultOf } from "../../harness/in-process";
import { type Args, checkOf } from "../../harness/lifecycle";

/** Shows that a cell of the column "The provider" is true. The emulator is as new. */
export type Check = (on: Emulator) => unknown;
export type Claims = Readonly<Record<string, Check>>;

export const withTheExtendedApi = { extended: true };

export const lifeOf = (on: Emulator, type: string, options = {}) =>
  inProcess(definitionOf(type), on, { retries: 0, ...options });

/** What preview says about inputs that are good but for one change each. */
export function refuses(type: string, good: Args, ...changes: readonly Args[]): void {
  accepts(type, good);
  for (const change of changes) expect(checkOf(type, { ...good, ...change }), JSON.stringify(change)).not.toEqual([]);
}

export function accepts(type: string, ...good: readonly Args[]): void {
  for (const args of good) expect(checkOf(type, args), JSON.stringify(args)).toEqual([]);
}

/** What preview warns of. */
export function warningsOf(on: Emulator, type: string, args: Args): string {
  const { life, said } = lifeOf(on, type);
  expect(life.check(args).failures).toEqual([]);
  return said.warnings.join("\n");
}

/** The requests of some work, but for the view of the token's account. */
export async function requestsOf(on: Emulator, work: () => Promise<unknown>) {
  on.clearRequests();
  await work();
  return on.requests().requests.filter(({ operation }) => operation !== "account.view");
}

/** The body of the one write that creates it, after the checks that precede it. */
export async function sentFor(on: Emulator, type: string, args: Args): Promise<Record<string, unknown>> {
  const { life } = lifeOf(on, type);
  const { inputs, failures } = life.check(args);
  expect(failures).toEqual([]);
  const writes = (await requestsOf(on, () => life.create(inputs))).filter(({ method }) => method !== "GET");
  expect(writes).toHaveLength(1);
  return writes[0]!.body as Record<string, unknown>;
}

export const call = (on: Emulator, name: string, inputs: Args = {}, options = {}) =>
  resultOf(name, inputs, on, { retries: 0, ...options });
