import { expect } from "vitest";
import type { Finding } from "../../../cli/doctor/finding";
import { stackFindings } from "../../../cli/doctor/stack";
import type { PendingOperation, State, StateResource } from "../../../cli/pulumi/stack";
import type { Emulator } from "../../../emulator";
import { configOf, prefix, quiet } from "./stacks";

export interface Options {
  readonly token?: string;
  readonly usable?: boolean;
  readonly pluginFix?: string;
  readonly onStack?: string;
  readonly extendedApi?: boolean;
}

const rootUrn = `${prefix}pulumi:pulumi:Stack::shop-dev`;

/** What doctor finds on a stack, against an emulator. */
export function examineStack(emulator: Emulator, state: Partial<State>, options: Options = {}): Promise<Finding[]> {
  const { token = "admin", usable = true, pluginFix, onStack = " --stack dev", extendedApi: on = false } = options;
  const config = configOf(emulator, token, { extendedApi: String(on) });
  const root = { urn: rootUrn, type: "pulumi:pulumi:Stack", custom: false };
  const whole = { pending: [], ...state, resources: [root, ...(state.resources ?? [])] };
  return stackFindings({ state: whole, config, usable, settling: { onStack, pluginFix } }, quiet());
}

/** An interrupted create of this resource. */
export function creating(made: StateResource, type = "creating"): PendingOperation {
  const { id: _, outputs: __, ...rest } = made;
  return { type, resource: { ...rest, parent: rootUrn } };
}
const asDynamic = (text: string): string => text.replace("dataplatform:index:", "pulumi-nodejs:dynamic/dataplatform:");
export const dynamic = (made: StateResource): StateResource => ({
  ...{ ...made, urn: asDynamic(made.urn), type: asDynamic(made.type) },
});

/** A finding as `verdict: says | fix`. */
export const textOf = ({ verdict, says, fix }: Finding): string =>
  [`${verdict}: ${says}`, fix ?? []].flat().join(" | ");

/** Findings, by a part of what they say. */
const finding = (verdict: string, says: string, fix: string) => ({ verdict, says: expect.stringContaining(says), fix });
export const problem = (says: string, fix: string) => finding("problem", says, fix);
export const clear = `pulumi refresh --clear-pending-creates --target ${rootUrn} --stack dev`;
export const warning = (says: string, fix = clear) => finding("warning", says, fix);
export const imports = (what: string) => `pulumi import ${what} --protect=false --generate-code=false --stack dev`;

/** When a state got its resources: a replacement that is being created has the time of the one that it replaces. */
export const earlier = "2026-01-01T10:00:00Z";
export const later = "2026-01-02T10:00:00Z";
