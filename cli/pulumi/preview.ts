import { z } from "zod";

const PlannedState = z.looseObject({
  urn: z.string(),
  type: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});
export type PlannedState = z.output<typeof PlannedState>;

const Digest = z.looseObject({
  steps: z
    .array(
      z.looseObject({
        op: z.string(),
        urn: z.string(),
        oldState: PlannedState.nullish(),
        newState: PlannedState.nullish(),
      }),
    )
    .nullish(),
  diagnostics: z
    .array(
      z.looseObject({ message: z.string().optional(), severity: z.string().optional(), urn: z.string().nullish() }),
    )
    .nullish(),
});
export type Digest = z.output<typeof Digest>;

/** What `pulumi preview --json` prints. Undefined if it is something else. */
export function digestIn(text: string): Digest | undefined {
  try {
    // Some versions print log lines first.
    return Digest.safeParse(JSON.parse(text.slice(text.indexOf("{")))).data;
  } catch {
    return undefined;
  }
}

export function errorsIn(digest: Digest | undefined): { readonly urn: string | undefined; readonly message: string }[] {
  return (digest?.diagnostics ?? [])
    .filter(({ severity }) => severity === "error")
    .map(({ message = "", urn }) => ({ urn: urn ?? undefined, message: message.trim() }));
}
