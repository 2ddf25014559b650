import { z } from "zod";
import { managedResources } from "../pulumi/managed";
import { digestIn, errorsIn } from "../pulumi/preview";
import type { TemporaryStack } from "./backend";
import type { Message } from "./report";

export type Preview = Awaited<ReturnType<typeof previewOf>>;

export async function previewOf(stack: TemporaryStack) {
  const { isOk, stdout, reason } = await stack.run("preview");
  const digest = digestIn(stdout);
  const steps = digest?.steps ?? [];
  const errors = errorsIn(digest);
  const written = steps.filter(({ op }) => !/^(same|delete|delete-replaced|discard|discard-replaced)$/.test(op));
  return {
    isOk: isOk && digest !== undefined,
    /** Everything that the program registers, of any provider. */
    registered: steps.flatMap(({ newState }) => newState ?? []),
    /** Resources of ours that the update creates or changes. */
    written: managedResources(written.flatMap(({ newState }) => newState ?? [])),
    /** If it failed. */
    errors: errors.length > 0 ? errors : [{ urn: undefined, message: reason }],
  };
}

const Step = z.looseObject({ metadata: z.looseObject({ op: z.string(), urn: z.string(), type: z.string() }) });
const Event = z.looseObject({
  resourcePreEvent: Step.optional(),
  resOpFailedEvent: Step.optional(),
  diagnosticEvent: z.looseObject({ message: z.string(), severity: z.string(), urn: z.string().optional() }).optional(),
});

export type UpdateStep = Pick<z.output<typeof Step>["metadata"], "op" | "urn" | "type">;

/** What one `pulumi up` did. */
export type Update = Awaited<ReturnType<typeof update>>;

export async function update(stack: TemporaryStack) {
  const started = performance.now();
  const { isOk, stdout, reason } = await stack.run("up", "--yes", "--skip-preview");
  const events = stdout.split("\n").flatMap(eventIn);
  const errors = messagesIn(events, "error");
  return {
    isOk,
    seconds: (performance.now() - started) / 1000,
    steps: events.flatMap(({ resourcePreEvent: step }) => step?.metadata ?? []),
    failed: new Set(events.flatMap(({ resOpFailedEvent: step }) => step?.metadata.urn ?? [])),
    warnings: messagesIn(events, "warning"),
    errors: isOk || errors.length > 0 ? errors : [{ message: reason }],
  };
}

function eventIn(line: string): z.output<typeof Event>[] {
  if (!line.startsWith("{")) return [];
  try {
    const event = Event.safeParse(JSON.parse(line));
    return event.success ? [event.data] : [];
  } catch {
    return [];
  }
}

function messagesIn(events: readonly z.output<typeof Event>[], wanted: string): Message[] {
  const messages = events.flatMap(({ diagnosticEvent: said }) => (said?.severity === wanted ? [said] : []));
  const plain = messages.map(({ urn, message }) => ({
    urn: urn || undefined,
    message: message.replace(/<\{%[^%]*%\}>/g, "").trim(),
  }));
  return [...new Map(plain.map((one) => [`${one.urn}\n${one.message}`, one])).values()];
}
