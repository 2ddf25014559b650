import { invalid } from "../../answers";
import type { WhitelistEntry } from "../../model";
import type { Call } from "../../operation";
import type { World } from "../../world";

/** Whether an add knows the description: that of v2 does, that of v1.2 by the newer manual. */
export function describes(call: Call): boolean {
  return call.version === "v2" || call.world.extended !== false;
}

export function readDescription(call: Call): string | undefined {
  const text = call.parameters.text("description");
  if (text !== undefined && [...text].length > 255) throw invalid("description has more than 255 characters");
  return text;
}

export function shownDescription(world: World, entry: WhitelistEntry, version?: "v2"): Record<string, unknown> {
  if (!world.extended) return {};
  const { description } = entry;
  return {
    no: {},
    yes: description === undefined ? {} : { description },
    "yes, null when none": { description: description ?? null },
    "yes, empty text when none": { description: description ?? "" },
    "v2 only": version === "v2" ? { description: description ?? null } : {},
  }[world.switches.whitelistDescription];
}
