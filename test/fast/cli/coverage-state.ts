import { expect } from "vitest";
import { checkCoverage } from "../../../cli/drift/coverage/check";
import type { CoverageReport } from "../../../cli/drift/coverage/report";
import type { Source } from "../../../cli/inventory/accounts";
import type { Kind } from "../../../cli/inventory/kinds";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { StatusLine } from "../../../cli/terminal/status-line";

interface Platform {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** The configuration of a stack. `more`: settings by name. */
export function configOf({ url, tokens }: Platform, token = "admin", more: Record<string, string> = {}): StackConfig {
  const settings = { baseUrl: url, apiToken: tokens[token] ?? token, retries: "0", ...more };
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [`dataplatform:${name}`, { value }]));
}

export const extendedApi = { extendedApi: "true" };

/** A stack of the project shop. */
export function stackOf(config: StackConfig, state: readonly StateResource[] = [], stack = "dev"): Source {
  return { project: "shop", stack, state, config };
}

/** A file with the state of a stack. */
export function fileOf(state: readonly StateResource[], file = "other.json"): Source {
  return { project: "other", stack: "prod", state, file };
}

export function coverageOf(...sources: Source[]): Promise<CoverageReport> {
  const progress = new StatusLine({ write: () => expect.unreachable("nothing is written without a terminal") });
  return checkCoverage(sources, { progress, tool: "test" });
}

/** `[managed, existing]` of a kind. Undefined if it is not counted. */
export function countOf({ kinds }: CoverageReport, kind: Kind): [managed: number, existing: number] | undefined {
  const found = kinds.find((one) => one.kind === kind);
  return found && [found.managed, found.existing];
}

/** What is not managed of a kind. */
export function unmanaged({ unmanaged: all }: CoverageReport, kind: Kind): string[] {
  return all.filter((one) => one.kind === kind).map(({ what }) => what);
}
