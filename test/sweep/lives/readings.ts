import { type Switches, type SwitchName, switchCatalogue } from "../../second-platform";
import { access } from "../../second-platform/switches/access";
import { commands } from "../../second-platform/switches/commands";
import { things } from "../../second-platform/switches/things";
import { whitelist } from "../../second-platform/switches/whitelist";
import { type Choice, choicesOf, titleOf } from "./idle";
import { lives } from "./program";

/** The lives that a switch can affect; the forms of requests and answers affect all of them. */
function affectedBy(name: SwitchName): readonly string[] {
  if (name === "whitelistRanges") return ["address", "addresses", "range"];
  if (name === "statusCourse") return ["spark", "copy", "refresh", "waited"];
  if (name in whitelist) return ["address", "addresses"];
  if (name in commands) return ["spark", "copy", "refresh"];
  const [, found] = byBeginning.find(([beginning]) => beginning.test(name)) ?? [];
  if (found) return found;
  if (name in things || name in access) throw new Error(`list the lives that ${name} affects`);
  return oneOfEach;
}

/** One life per type; for types with several, one that also makes the others' requests. */
export const oneOfEach: readonly string[] = Object.keys(lives).filter(
  (name) => !["cluster", "presentPackages", "copy", "range", "waited", "hastySensor"].includes(name),
);

const byBeginning: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(dataStore|catalog|gateway)/, ["store"]],
  [/^hive/, []],
  [/^sensor/, ["sensor"]],
  [/^(package|addPackages|removePackages)/, ["packages", "presentPackages"]],
  [/^folder/, ["folder", "folderPolicy"]],
  [/^(policy|setPolicy)/, ["notebook", "cluster", "folderPolicy"]],
  [/^(role|groupName|builtInGroups)/, ["role", "roles"]],
  [/^account/, ["account"]],
  [/^(users|pending|emails|enable)/, ["user"]],
];

/** One possible reading of the specification. */
export interface Reading extends Choice {
  readonly switches: Partial<Switches>;
  readonly names: readonly string[];
}

/** Every non-default value of every switch, plus the defaults themselves. */
export function everyReading(): Reading[] {
  const always = Object.keys(lives).filter((name) => !["range", "waited", "hastySensor"].includes(name));
  // The default, made explicit: one address, no range.
  const literal: Partial<Switches> = { whitelistRanges: "refused" };
  return [
    { title: "defaults", switches: {}, names: always },
    { title: titleOf(literal), switches: literal, names: ["range"] },
    ...choicesOf(switchCatalogue).map((choice) => {
      const names = Object.keys(choice.switches) as SwitchName[];
      if (choice.switches["sensorMeaning"] === "always false") return { ...choice, names: ["hastySensor"] };
      return { ...choice, names: names.length > 1 ? always : affectedBy(names[0]!) };
    }),
  ];
}
