import type { Declarations } from "./declarations";
import type { AnyResource } from "./define";
import type { Difference } from "./diff";
import { keysOf } from "./keys";
import type { Properties } from "./properties";
import { bookkeepingOf } from "./state";

/**
 * What must be put back: a resource that waits for others is declared after one that manages everything, such as an
 * exclusive `IpWhitelist`, has removed what nobody had declared yet.
 */
export function withRemoved(
  definition: AnyResource,
  inputs: Properties,
  difference: Difference,
  declarations: Declarations | undefined,
): Difference {
  const property = definition.keys?.property ?? "";
  if (!isRemoved(definition, inputs, declarations)) return difference;
  const and = (names: readonly string[]) => [...new Set([...names, property])];
  const replaces = definition.replaceOn.includes(property) ? and(difference.replaces) : difference.replaces;
  return { ...difference, changed: and(difference.changed), replaces };
}

/**
 * Whether a write is repeated as a whole, even if nothing has changed since: its outcome is open, or this run has removed
 * something of it, which the state still has.
 */
export function mustRedo(
  definition: AnyResource,
  inputs: Properties,
  recorded: Properties,
  declarations: Declarations | undefined,
): boolean {
  return bookkeepingOf(recorded).__open === true || isRemoved(definition, inputs, declarations);
}

function isRemoved(definition: AnyResource, inputs: Properties, declarations: Declarations | undefined): boolean {
  return keysOf(definition, inputs).some((key) => declarations?.wasRemoved(key));
}
