import { invalid } from "../../answers";
import type { WhitelistEntry } from "../../model";
import type { Call } from "../../operation";
import type { World } from "../../world";

/** Whether an add knows the description: that of v2 does, that of v1.2 by the newer manual. */
export function describes(call: Call): boolean {
  const { switches, extended } = call.world;
  if (call.version === "v2") return true;
  if (!extended) return false;
  if (switches.whitelistDescription1 === "refused" && call.parameters.has("description"))
    throw invalid("description is not known");
  return switches.whitelistDescription1 === "kept";
}

export function readDescription(call: Call): string | undefined {
  const text = call.parameters.text("description");
  if (text === undefined || [...text].length <= 255) return text;
  if (call.world.switches.whitelistDescriptionLong === "refused")
    throw invalid("description has more than 255 characters");
  return [...text].slice(0, 255).join("");
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
