import type { Emulator, LoggedRequest, Profile } from "../../emulator";
import type { Settings } from "../../provider/api/settings";
import { signatureKey } from "../../provider/core/engine-values";
import { type Redactor, redactor } from "../../provider/core/redact";
import { secretsOf } from "../../provider/core/secrets";
import { leftBehind, type Managed, managedResources, textsIn } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";
import type { State, WholeExport } from "../pulumi/stack";
import type { StatusLine } from "../terminal/status-line";
import type { Original } from "./backend";
import type { Assumption } from "./draft";
import type { Call, EndResource, Message, RehearsalReport } from "./report";
import type { Preview, Update, UpdateStep } from "./update";

export interface Rehearsal {
  readonly original: Original;
  readonly exported: WholeExport;
  readonly settings: Settings;
  readonly profile: Profile | undefined;
  readonly latencyMs: number;
  readonly withFaults: boolean;
  readonly allowedProviders: readonly string[];
  readonly tool: string;
  readonly progress: StatusLine;
  readonly signal: AbortSignal;
}

interface Played extends Rehearsal {
  readonly existing: readonly Managed[];
  readonly preview: Preview;
  /** Undefined if the preview failed. */
  readonly update: Update | undefined;
  /** The state at the end. */
  readonly end: State;
  readonly emulator: Emulator;
  readonly assumptions: readonly Assumption[];
}

const mostCalls = 5000;

export function reportOf(played: Played): RehearsalReport {
  const { original, settings, tool, latencyMs, update, preview, emulator, assumptions, end } = played;
  const redact = redactor(...secretsIn(played));
  const clean = (messages: readonly Message[]) =>
    messages.map((one) => ({ ...one, message: redact(explained(one.message)) }));
  const { requests, total } = emulator.requests(mostCalls);
  const calls = update ? callsOf(requests, redact, hiddenSecret(played)) : [];
  const changes = changesOf(update?.steps ?? []);
  const left = leftMessages(played).map(redact);
  const warnings = clean(update?.warnings ?? []).filter(({ message }) => !left.some((one) => message.includes(one)));
  return {
    format: 1,
    tool,
    project: original.project,
    stack: original.stack,
    platform: settings.baseUrl,
    rehearsedAt: new Date().toISOString(),
    outcome: update?.isOk ? "succeeded" : "failed",
    ...(update?.isOk ? {} : { failedAt: update ? ("update" as const) : ("preview" as const) }),
    changes: countsOf(changes.values()),
    calls,
    callsLeftOut: update ? Math.max(0, total - calls.length) : 0,
    warnings,
    errors: clean(update?.errors ?? preview.errors),
    leftBehind: left,
    seconds: update?.seconds ?? 0,
    latencyMs,
    resources: managedResources(end.resources).map((resource) =>
      endResource(resource, changes.get(resource.urn)?.op ?? "same", redact),
    ),
    notShown: assumptions.map((one) => ({ ...one, what: redact(one.what) })),
  };
}

/** The emulator knows every token that the rehearsal could replace. */
const explained = (message: string): string =>
  message.replace(
    /the platform rejected the token \(401\).*?that the resource has(\. Any change would fail)?/gs,
    "the rehearsal does not know this token: it is written in the program, or new. Read it from the configuration; from the first pulumi up on, the rehearsal knows it there",
  );

/**
 * What becomes of each resource. The engine replaces in up to three steps, and deletes with `delete-replaced` what an
 * earlier replacement has left; for the user, each is one change.
 */
export function changesOf(steps: readonly UpdateStep[]): ReadonlyMap<string, UpdateStep> {
  const changes = new Map<string, UpdateStep>();
  for (const step of steps) {
    const op = /^replace$|-replacement$/.test(step.op) ? "replace" : step.op.replace(/-replaced$/, "");
    const known = changes.get(step.urn)?.op ?? "delete";
    if (op === "replace" || known === "delete") changes.set(step.urn, { ...step, op });
  }
  return changes;
}

/** Resources of any provider, but neither the stack nor providers. */
export function countsOf(steps: Iterable<UpdateStep>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { op, type } of steps) if (!type.startsWith("pulumi:")) counts[op] = (counts[op] ?? 0) + 1;
  return counts;
}

/** Types whose ids the platform gives. */
const numbered = new Set(["WhitelistedIp", "Account", "DataStore", "Command", "Role", "Group"]);

function endResource({ urn, name, type, id }: Managed, op: string, redact: Redactor): EndResource {
  const isNew = op === "create" || op === "replace";
  return { urn, name, type, op, ...(isNew && numbered.has(type) ? {} : { id: redact(id) }) };
}

/** What the definitions say about deleted resources, in the words of their warnings. */
function leftMessages({ update, existing, settings }: Played): string[] {
  const removed = update?.steps.filter(({ op }) => op === "delete" || op === "delete-replaced") ?? [];
  return removed.flatMap(({ urn }) => {
    const resource = existing.find((one) => one.urn === urn);
    return (resource && leftBehind(resource, settings.extendedApi)) ?? [];
  });
}

/** Every secret that is known: of the settings, the configuration, and the state before and after. */
function secretsIn({ settings, original, exported, end }: Played): string[] {
  const config = Object.values(original.config).flatMap(({ value, secret }) => (secret && value ? [value] : []));
  const states = [...(exported.deployment?.resources ?? []), ...end.resources];
  return [settings.apiToken, ...config, ...states.flatMap(({ inputs, outputs }) => plaintexts([inputs, outputs]))];
}

function plaintexts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(plaintexts);
  if (typeof value !== "object" || value === null) return [];
  const { plaintext } = value as { plaintext?: unknown };
  if (typeof plaintext === "string" && signatureKey in value) return textsIn(JSON.parse(plaintext));
  return Object.values(value).flatMap(plaintexts);
}

/**
 * What the program itself marks as secret can be recognised by its value, which the state at the end tells. It does not
 * for a resource that failed: then no body is shown.
 */
function hiddenSecret({ preview, update, end }: Played): string | undefined {
  const isDone = (urn: string) => !update?.failed.has(urn) && end.resources.some((one) => one.urn === urn);
  const unknown = preview.written.find(
    ({ urn, inputs, definition }) =>
      !isDone(urn) &&
      Object.entries(inputs).some(
        ([name, value]) =>
          JSON.stringify(value)?.includes(maskedSecret) && !(definition && secretsOf(definition).includes(name)),
      ),
  );
  return unknown && `(hidden: ${unknown.name} failed, so its secrets are not known)`;
}

/**
 * The requests as they are reported: the emulator has masked what is secret by its name, and this masks by value.
 * `hidden`: why bodies are not shown at all, if they are not.
 */
export function callsOf(requests: readonly LoggedRequest[], redact: Redactor, hidden: string | undefined): Call[] {
  return requests.map(({ operation, method, path, body, status, fault }) => ({
    operation,
    method,
    path: hidden === undefined ? redact(path) : withoutNames(path),
    body: body === null || hidden === undefined ? redacted(body, redact) : hidden,
    status,
    ...(fault !== undefined && { fault }),
  }));
}

/** `/api/v1.2/groups/…`: what follows may name something secret, such as a role. */
function withoutNames(path: string): string {
  const [route = ""] = path.split("?", 1);
  const start = route.split("/").slice(0, 4).join("/");
  return start === path ? path : `${start}/…`;
}

/** Every text in it, however deep. */
function redacted(value: unknown, redact: Redactor): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === "string" ? redact(inner) : inner));
}
