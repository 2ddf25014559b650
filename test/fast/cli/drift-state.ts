import { checkDrift } from "../../../cli/drift/check";
import type { DriftReport } from "../../../cli/drift/report";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import type { Emulator } from "../../../emulator";
import { configOf, quiet } from "./platform";

export const prefix = "urn:pulumi:dev::shop::";
export const encrypted = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

/** A resource as it appears in an exported state. */
export function resource(
  type: string,
  name: string,
  id: string,
  inputs: Record<string, unknown>,
  more: Partial<StateResource> = {},
): StateResource {
  const full = `dataplatform:index:${type}`;
  return { urn: `${prefix}${full}::${name}`, type: full, id, inputs, outputs: inputs, ...more };
}

/** An explicit provider in such a state, by what follows the project in its URN; and what a resource says that has it. */
export const providerOf = (rest: string, inputs: Record<string, unknown>): StateResource => ({
  urn: `${prefix}${rest}`,
  type: "pulumi:providers:dataplatform",
  id: "p1",
  inputs,
});
export const of = ({ urn }: StateResource) => ({ provider: `${urn}::p1` });

/** The drift of a state against an emulator, with one of its tokens. */
export function driftOf(
  emulator: Emulator,
  state: StateResource[],
  token = "admin",
  config: StackConfig = {},
  plan?: string,
): Promise<DriftReport> {
  const settings = { ...configOf(emulator, token), ...config };
  return checkDrift(
    { project: "shop", stack: "dev", state, config: settings },
    { progress: quiet(), tool: "test", plan },
  );
}
