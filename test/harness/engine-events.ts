import type { Ran } from "./engine";

export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  readonly urn?: string;
}

/** What one run of the engine did. */
export interface Outcome extends Ran {
  /** Steps by kind, the stack itself left out: `{ create: 2, same: 1 }`. */
  readonly steps: Readonly<Record<string, number>>;
  /** `name: op`, for the resources that changed. */
  readonly changed: Readonly<Record<string, string>>;
  /** `name: op`, for what refresh found on the platform: `same`, `update` or `delete`. */
  readonly found: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
  /** What policy packs reported. */
  readonly violations: readonly Violation[];
  /** All that a user reads: output and diagnostics. */
  readonly text: string;
}

export interface Violation {
  readonly rule: string;
  /** Name of the resource. */
  readonly name: string;
  readonly level: string;
  readonly message: string;
}

interface PolicyEvent {
  readonly policyName: string;
  readonly resourceUrn: string;
  readonly enforcementLevel: string;
  readonly message: string;
}

interface EngineEvent {
  readonly policyEvent?: PolicyEvent;
  readonly diagnosticEvent?: Diagnostic;
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
  readonly resOutputsEvent?: { readonly metadata: StepMetadata };
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
}

/** Reads what a run did from its event log. */
export function outcomeOf(ran: Ran, log: string): Outcome {
  const events = log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EngineEvent);
  const diagnostics = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent && diagnosticEvent.severity !== "debug"
      ? [{ ...diagnosticEvent, message: plain(diagnosticEvent.message) }]
      : [],
  );
  const violations = events.flatMap(({ policyEvent }) => (policyEvent ? [violationOf(policyEvent)] : []));
  const steps = events
    .flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [resourcePreEvent.metadata] : []))
    .filter(({ type, urn }) => !type.startsWith("pulumi:") && !urn.includes("test:Later"));
  const counts: Record<string, number> = {};
  const changed: Record<string, string> = {};
  for (const { op, urn } of steps) {
    counts[op] = (counts[op] ?? 0) + 1;
    if (op !== "same" && op !== "refresh") changed[nameOf(urn)] = op;
  }
  return {
    ...ran,
    steps: counts,
    changed,
    found: foundBy(events),
    diagnostics,
    violations,
    text: [ran.stdout, ran.stderr, ...diagnostics.map(({ message }) => message)].join("\n"),
  };
}

/** A refresh starts as `refresh`, and ends as what it found. */
function foundBy(events: readonly EngineEvent[]): Record<string, string> {
  const refreshed = new Set(
    events.flatMap(({ resourcePreEvent: { metadata } = {} }) => (metadata?.op === "refresh" ? [metadata.urn] : [])),
  );
  const ends = events.flatMap(({ resOutputsEvent }) => (resOutputsEvent ? [resOutputsEvent.metadata] : []));
  return Object.fromEntries(ends.filter(({ urn }) => refreshed.has(urn)).map(({ op, urn }) => [nameOf(urn), op]));
}

export function nameOf(urn: string): string {
  return urn.split("::").at(-1)!;
}

function violationOf({ policyName, resourceUrn, enforcementLevel, message }: PolicyEvent): Violation {
  return { rule: policyName, name: nameOf(resourceUrn), level: enforcementLevel, message: plain(message) };
}

/** The engine marks colours as `<{%reset%}>`. */
function plain(text: string): string {
  return text.replace(/<\{%[^%]*%\}>/g, "");
}
