import { expect } from "vitest";
import type { Finding } from "../../../cli/doctor/finding";
import { stackFindings } from "../../../cli/doctor/stack";
import type { PendingOperation, StackConfig, State, StateResource } from "../../../cli/pulumi/stack";
import { StatusLine } from "../../../cli/terminal/status-line";
import type { Emulator } from "../../../emulator";
import { prefix } from "./drift-state";

export interface Options {
  readonly token?: string;
  readonly usable?: boolean;
  readonly pluginFix?: string;
  readonly onStack?: string;
  readonly extendedApi?: boolean;
}

/** The findings on a stack, against an emulator. */
export function examineStack(emulator: Emulator, state: Partial<State>, options: Options = {}): Promise<Finding[]> {
  const { token = "admin", usable = true, pluginFix, onStack = " --stack dev", extendedApi = false } = options;
  const config: StackConfig = {
    "dataplatform:baseUrl": { value: emulator.url },
    "dataplatform:apiToken": { value: emulator.tokens[token]!, secret: true },
    "dataplatform:retries": { value: "0" },
    "dataplatform:extendedApi": { value: String(extendedApi) },
  };
  const whole = { resources: [], pending: [], ...state };
  const progress = new StatusLine({ write: () => expect.unreachable("not a terminal") });
  return stackFindings({ state: whole, config, usable, settling: { onStack, pluginFix } }, progress);
}

/** An interrupted create of this resource. */
export function creating(made: StateResource, type = "creating"): PendingOperation {
  const { id: _, outputs: __, ...rest } = made;
  return { type, resource: { ...rest, parent: `${prefix}pulumi:pulumi:Stack::shop-dev` } };
}
export const dynamic = (made: StateResource): StateResource => ({
  ...made,
  urn: made.urn.replace("dataplatform:index:", "pulumi-nodejs:dynamic/dataplatform:"),
  type: made.type.replace("dataplatform:index:", "pulumi-nodejs:dynamic/dataplatform:"),
});
export const clear = "pulumi refresh --clear-pending-creates --stack dev";
export const imports = (what: string) => `pulumi import ${what} --protect=false --generate-code=false --stack dev`;
