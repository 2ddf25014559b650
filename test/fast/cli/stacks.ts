import { expect } from "vitest";
import { checkDrift } from "../../../cli/drift/check";
import type { DriftReport } from "../../../cli/drift/report";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { htmlReport } from "../../../cli/report/html";
import { markdownReport } from "../../../cli/report/markdown";
import type { Findings, Report } from "../../../cli/report/model";
import { terminalReport } from "../../../cli/report/terminal";
import { StatusLine } from "../../../cli/terminal/status-line";
import type { Emulator } from "../../../emulator";
import { accountOf } from "../../harness/emulators";
import { request } from "../../harness/http";
import type { PlatformAt } from "../../harness/in-process";

/* A stack that needs no engine, and what each command says about it. */

/** Without a terminal: a word of progress is a failure. */
export const quiet = () => new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });

/** On no terminal: without colours. */
export const table = (report: Findings): string => terminalReport(report, {});
export const formatsOf = (report: Report): string[] => [table(report), markdownReport(report), htmlReport(report)];

/** The configuration of a stack. `more`: settings by name. */
export function configOf({ url, tokens }: PlatformAt, token = "admin", more: Record<string, string> = {}): StackConfig {
  const settings = { baseUrl: url, apiToken: tokens[token] ?? token, retries: "0", ...more };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dataplatform:${name}`, { value }]));
}

/** The same, for commands that need no stack. */
export const envOf = ({ url, tokens }: PlatformAt, token = "admin") => ({
  DATAPLATFORM_BASE_URL: url,
  DATAPLATFORM_API_TOKEN: tokens[token] ?? token,
  DATAPLATFORM_RETRIES: "0",
});

/** Adds an address behind the stack's back, and returns its id. */
export async function whitelist(emulator: Emulator, ip_cidr: string): Promise<string> {
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  return String(accountOf(emulator).whitelist.find((entry) => entry.ip_cidr === ip_cidr)!.id);
}

export const prefix = "urn:pulumi:dev::shop::";
export const encrypted = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(value),
});

type Inputs = Record<string, unknown>;

/** A resource as it appears in an exported state. */
export function resource(type: string, name: string, id: string, inputs: Inputs, more: Partial<StateResource> = {}) {
  const full = `dataplatform:index:${type}`;
  const made: StateResource = { urn: `${prefix}${full}::${name}`, type: full, id, inputs, outputs: inputs, ...more };
  return made;
}

/** An explicit provider in such a state, by what follows the project in its URN; and what a resource says that has it. */
export const providerOf = (rest: string, inputs: Inputs): StateResource => ({
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
  const stack = { project: "shop", stack: "dev", state, config: { ...configOf(emulator, token), ...config } };
  return checkDrift(stack, { progress: quiet(), tool: "test", plan });
}
