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
  /** If it failed. */
  readonly errors: readonly Message[];
}

export async function previewOf(stack: TemporaryStack): Promise<Preview> {
  const { isOk, stdout, reason } = await stack.run("preview");
  const digest = digestIn(stdout);
  const steps = digest?.steps ?? [];
  const errors = errorsIn(digest);
  const written = steps.filter(({ op }) => !/^(same|delete|delete-replaced|discard|discard-replaced)$/.test(op));
  return {
    isOk: isOk && digest !== undefined,
    registered: steps.flatMap(({ newState }) => newState ?? []),
    written: managedResources(written.flatMap(({ newState }) => newState ?? [])),
    errors: errors.length > 0 ? errors : [{ message: reason }],
  };
}
