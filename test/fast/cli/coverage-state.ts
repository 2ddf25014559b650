import { checkCoverage } from "../../../cli/drift/coverage/check";
import type { CoverageReport } from "../../../cli/drift/coverage/report";
import type { Source } from "../../../cli/inventory/accounts";
import type { Kind } from "../../../cli/inventory/found";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { quiet } from "./stacks";

export const extendedApi = { extendedApi: "true" };

/** A stack of the project shop, and a file with the state of another one. */
export const stackOf = (config: StackConfig, state: readonly StateResource[] = [], stack = "dev"): Source => ({
  ...{ project: "shop", stack, state, config },
});
export const fileOf = (state: readonly StateResource[]): Source => ({
  ...{ project: "other", stack: "prod", state, file: "other.json" },
});

export const coverageOf = (...sources: Source[]): Promise<CoverageReport> =>
  checkCoverage(sources, { progress: quiet(), tool: "test" });

/** `[managed, existing]` of a kind. Undefined if it is not counted. */
export function countOf({ kinds }: CoverageReport, kind: Kind): [managed: number, existing: number] | undefined {
  const found = kinds.find((one) => one.kind === kind);
  return found && [found.managed, found.existing];
}

/** What is not managed of a kind. */
export const unmanaged = ({ unmanaged: all }: CoverageReport, kind: Kind): string[] =>
  all.filter((one) => one.kind === kind).map(({ what }) => what);
