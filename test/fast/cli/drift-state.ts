import { expect } from "vitest";
import { checkDrift } from "../../../cli/drift/check";
import type { DriftReport } from "../../../cli/drift/report";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { StatusLine } from "../../../cli/terminal/status-line";
import type { Emulator } from "../../../emulator";

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

/** The drift of a state against an emulator, with one of its tokens. */
export function driftOf(
  emulator: Emulator,
  state: StateResource[],
  token = "admin",
  config: StackConfig = {},
): Promise<DriftReport> {
  const settings: StackConfig = {
    "dataplatform:baseUrl": { value: emulator.url },
    "dataplatform:apiToken": { value: emulator.tokens[token] ?? token, secret: true },
    "dataplatform:retries": { value: "0" },
    ...config,
  };
  const progress = new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });
  return checkDrift({ project: "shop", name: "dev", state, config: settings }, { progress, tool: "test" });
}
