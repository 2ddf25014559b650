import { z } from "zod";
import { type Managed, managedResources } from "../pulumi/managed";
import type { StateResource } from "../pulumi/stack";
import type { TemporaryStack } from "./backend";
import type { Message } from "./report";

const PlannedState = z.looseObject({
  urn: z.string(),
  type: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});
const Digest = z.looseObject({
  steps: z.array(z.looseObject({ op: z.string(), urn: z.string(), newState: PlannedState.nullish() })).nullish(),
  diagnostics: z
    .array(
      z.looseObject({ message: z.string().optional(), severity: z.string().optional(), urn: z.string().nullish() }),
    )
    .nullish(),
});

export interface Preview {
  readonly isOk: boolean;
  /** Everything that the program registers, of any provider. */
  readonly registered: readonly StateResource[];
  /** Resources of ours that the update creates or changes. */
  readonly written: readonly Managed[];
  readonly errors: readonly Message[];
}

export async function previewOf(stack: TemporaryStack): Promise<Preview> {
  const { code, stdout, stderr } = await stack.run("preview");
  const digest = parse(stdout);
  const steps = digest?.steps ?? [];
  const registered = steps.flatMap(({ newState }) => (newState ? [newState] : []));
  const written = steps.filter(({ op }) => !/^(same|delete|delete-replaced|discard|discard-replaced)$/.test(op));
  return {
    isOk: code === 0 && digest !== undefined,
    registered,
    written: managedResources(written.flatMap(({ newState }) => (newState ? [newState] : []))),
    errors: code === 0 && digest ? [] : errorsOf(digest, stderr, code),
  };
}

function errorsOf(digest: z.output<typeof Digest> | undefined, stderr: string, code: number | null): Message[] {
  const reported = (digest?.diagnostics ?? [])
    .filter(({ severity }) => severity === "error")
    .map(({ message = "", urn }) => ({ urn: urn ?? undefined, message: message.trim() }));
  const other = stderr.trim().replace(/^error: /, "");
  if (reported.length > 0) return reported;
  return [{ urn: undefined, message: other || `"pulumi preview" ended with exit code ${code}` }];
}

function parse(text: string): z.output<typeof Digest> | undefined {
  try {
    // Some versions print log lines first.
    return Digest.safeParse(JSON.parse(text.slice(text.indexOf("{")))).data;
  } catch {
    return undefined;
  }
}
