import { z } from "zod";
import type { TemporaryStack } from "./backend";
import type { Message } from "./report";

const Step = z.looseObject({ metadata: z.looseObject({ op: z.string(), urn: z.string(), type: z.string() }) });
const Event = z.looseObject({
  resourcePreEvent: Step.optional(),
  resOpFailedEvent: Step.optional(),
  diagnosticEvent: z.looseObject({ message: z.string(), severity: z.string(), urn: z.string().optional() }).optional(),
});

export interface UpdateStep {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
}

/** What one `pulumi up` did. */
export interface Update {
  readonly isOk: boolean;
  readonly seconds: number;
  readonly steps: readonly UpdateStep[];
  readonly failed: ReadonlySet<string>;
  readonly warnings: readonly Message[];
  readonly errors: readonly Message[];
}

export async function update(stack: TemporaryStack): Promise<Update> {
  const started = performance.now();
  const { code, stdout, stderr } = await stack.run("up", "--yes", "--skip-preview");
  const events = stdout.split("\n").flatMap(eventIn);
  const said = (severity: string) => messagesIn(events, severity);
  const errors = said("error");
  const unexplained = code !== 0 && errors.length === 0;
  const reason = stderr.trim().replace(/^error: /, "") || `"pulumi up" ended with exit code ${code}`;
  return {
    isOk: code === 0,
    seconds: (performance.now() - started) / 1000,
    steps: events.flatMap(({ resourcePreEvent: step }) => (step ? [step.metadata] : [])),
    failed: new Set(events.flatMap(({ resOpFailedEvent: step }) => (step ? [step.metadata.urn] : []))),
    warnings: said("warning"),
    errors: unexplained ? [{ urn: undefined, message: reason }] : errors,
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
