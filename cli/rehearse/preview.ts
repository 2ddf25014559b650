import { type Managed, managedResources } from "../pulumi/managed";
import { digestIn, errorsIn } from "../pulumi/preview";
import type { StateResource } from "../pulumi/stack";
import type { TemporaryStack } from "./backend";
import type { Message } from "./report";

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
  const digest = digestIn(stdout);
  const steps = digest?.steps ?? [];
  const reported = errorsIn(digest);
  const reason = stderr.trim().replace(/^error: /, "") || `"pulumi preview" ended with exit code ${code}`;
  const registered = steps.flatMap(({ newState }) => (newState ? [newState] : []));
  const written = steps.filter(({ op }) => !/^(same|delete|delete-replaced|discard|discard-replaced)$/.test(op));
  return {
    isOk: code === 0 && digest !== undefined,
    registered,
    written: managedResources(written.flatMap(({ newState }) => (newState ? [newState] : []))),
    errors: code === 0 && digest ? [] : reported.length > 0 ? reported : [{ urn: undefined, message: reason }],
  };
}
