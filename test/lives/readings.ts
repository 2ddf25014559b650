import { type Switches, type SwitchName, switchCatalogue } from "../second-platform";
import { access } from "../second-platform/switches/access";
import { commands } from "../second-platform/switches/commands";
import { things } from "../second-platform/switches/things";
import { whitelist } from "../second-platform/switches/whitelist";
import { type LifeName, lives } from "./program";

/** The lives that a switch can make a difference to; the forms of requests and answers concern all of them. */
export function concernedBy(name: SwitchName): readonly LifeName[] {
  if (name === "whitelistRanges") return ["address", "addresses", "range"];
  if (name === "statusCourse") return ["spark", "copy", "refresh", "waited"];
  if (name in whitelist) return ["address", "addresses"];
  if (name in commands) return ["spark", "copy", "refresh"];
  const [, found] = byBeginning.find(([beginning]) => beginning.test(name)) ?? [];
  if (found) return found;
  if (name in things || name in access) throw new Error(`say which lives ${name} concerns`);
  return oneOfEach;
}

/** Every type; of those with several lives, one that makes the others' requests too. */
export const oneOfEach: readonly LifeName[] = Object.keys(lives).filter(
  (name) => !["cluster", "presentPackages", "copy", "range", "waited"].includes(name),
);

const byBeginning: readonly (readonly [RegExp, readonly LifeName[]])[] = [
  [/^(dataStore|catalog|gateway)/, ["store"]],
  [/^hive/, []],
  [/^sensor/, ["sensor"]],
  [/^(package|addPackages|removePackages)/, ["packages", "presentPackages"]],
  [/^folder/, ["folder", "folderPolicy"]],
  [/^(policy|setPolicy)/, ["notebook", "cluster", "folderPolicy"]],
  [/^(role|groupName|builtInGroups)/, ["role"]],
  [/^account/, ["account"]],
  [/^(users|pending|emails|enable)/, ["user"]],
];

/** One way in which a platform may read the specification. */
export interface Reading {
  readonly switches: Partial<Switches>;
  readonly names: readonly LifeName[];
}

/** The default, said: one address and no range. */
const literal: Partial<Switches> = { whitelistRanges: "refused" };

/** Every value of every switch but the defaults, one at a time; and the defaults themselves. */
export function singleReadings(): Reading[] {
  const single = (Object.keys(switchCatalogue) as SwitchName[]).flatMap((name) =>
    switchCatalogue[name].values.slice(1).map((value) => ({ switches: { [name]: value }, names: concernedBy(name) })),
  );
  const always = Object.keys(lives).filter((name) => name !== "range" && name !== "waited");
  return [{ switches: {}, names: always }, { switches: literal, names: ["range"] }, ...(single as Reading[])];
}

export function titleOf({ switches }: Reading): string {
  return (
    Object.entries(switches)
      .map(([name, value]) => `${name}=${value}`)
      .join(", ") || "defaults"
  );
}
