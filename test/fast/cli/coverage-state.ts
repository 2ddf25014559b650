import { checkCoverage } from "../../../cli/drift/coverage/check";
import type { CoverageReport } from "../../../cli/drift/coverage/report";
import type { Source } from "../../../cli/inventory/accounts";
import type { Kind } from "../../../cli/inventory/found";
import type { StackConfig, StateResource } from "../../../cli/pulumi/stack";
import { quiet } from "./platform";

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
  return checkCoverage(sources, { progress: quiet(), tool: "test" });
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
