import { type Switches, type SwitchName, switchCatalogue } from "../../second-platform";
import { access, commands, things, whitelist } from "../../second-platform/switches";
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
  [/^dataStore/, ["store"]],
  [/^hive/, []],
  [/^sensor/, ["sensor"]],
  [/^(package|addPackages)/, ["packages", "presentPackages"]],
  [/^folder/, ["folder", "folderPolicy"]],
  [/^policy/, ["notebook", "cluster", "folderPolicy"]],
  [/^unshown/, ["packages", "folder", "folderPolicy", "notebook", "user"]],
  [/^role/, ["role", "roles"]],
  [/^account/, ["account"]],
  [/^(users|pending|emails|enable)/, ["user"]],
];

/** One possible reading of the specification. */
export interface Reading {
  readonly title: string;
  readonly switches: Partial<Switches>;
  readonly names: readonly string[];
}

export function readingOf(switches: Partial<Switches>, names: readonly string[]): Reading {
  const values = Object.entries(switches).map(([name, value]) => `${name}=${value}`);
  return { title: values.join(", ") || "defaults", switches, names };
}

/** Every non-default value of every switch, plus the defaults themselves. */
export function everyReading(): Reading[] {
  const always = Object.keys(lives).filter((name) => !["range", "waited", "hastySensor"].includes(name));
  return [
    readingOf({}, always),
    // The default, made explicit: one address, no range.
    readingOf({ whitelistRanges: "refused" }, ["range"]),
    ...Object.entries(switchCatalogue).flatMap(([name, [, ...others]]) =>
      others.map((value) =>
        readingOf({ [name]: value }, value === "always false" ? ["hastySensor"] : affectedBy(name as SwitchName)),
      ),
    ),
  ];
}
