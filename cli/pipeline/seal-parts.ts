import type { Finding } from "../../policies/judge";
import type { Drift } from "./drift";
import type { Guard } from "./guard";
import { fingerprint } from "./keys";
import type { Bound } from "./plan";
import type { Planned } from "./planned";
import type { Diagnostic } from "./preview";
import type { Part } from "./report";
import * as show from "./seal-report";

export interface Shown {
  readonly guard: Pick<Guard, "guarded" | "since" | "loosening">;
  /** Of the plan, if it was sealed. */
  readonly id: string | undefined;
  readonly facts: Omit<Bound, "planSha256">;
  readonly key: string | undefined;
  readonly planned: readonly Planned[] | undefined;
  readonly granted: show.Access | undefined;
  readonly left: ReadonlyMap<string, string>;
  readonly drift: Drift | undefined;
  readonly findings: readonly Finding[];
  readonly diagnostics: readonly Diagnostic[];
}

/** By importance: what does not fit into a comment is missing at the end, so nothing that can be long has no limit. */
export function sealParts(
  { guard, id, facts, key, planned, granted, left, drift, findings, diagnostics }: Shown,
  limits: show.Limits,
): Part[] {
  return [
    show.guardedPart(guard, facts.base !== facts.commit),
    show.planPart(id, facts, key && fingerprint(key)),
    show.settingsPart(guard, limits),
    // What others may do from now on must not be crowded out by what is merely long.
    ...(planned && granted ? [show.accessPart(granted, planned, limits), show.changesPart(planned, left, limits)] : []),
    show.driftPart(drift),
    show.findingsPart(findings),
    show.outputsPart(planned ?? [], limits),
    show.warningsPart(diagnostics),
  ];
}
