import { access } from "./access";
import { commands } from "./commands";
import type { ValuesOf } from "./define";
import { forms } from "./forms";
import { things } from "./things";
import { transport } from "./transport";
import { whitelist } from "./whitelist";

const catalogue = { ...transport, ...forms, ...whitelist, ...commands, ...things, ...access };

export type SwitchName = keyof typeof catalogue;

export type Switches = { [K in SwitchName]: ValuesOf<(typeof catalogue)[K]> };

/** Every switch and its values; the first is the default. */
export const switchCatalogue: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(catalogue).map(([name, values]) => [name, values.split(" | ")]),
);

/** The defaults overlaid with the given values; throws on a misspelt name or value, which is a bug in the test. */
export function resolveSwitches(given: Partial<Switches> = {}): Switches {
  const resolved: Record<string, string> = {};
  for (const [name, values] of Object.entries(switchCatalogue)) resolved[name] = values[0]!;
  for (const [name, value] of Object.entries(given)) {
    const values = switchCatalogue[name];
    if (!values) throw new Error(`no switch is called ${name}`);
    if (value === undefined) continue;
    if (!values.includes(value)) throw new Error(`switch ${name} has no value ${value}`);
    resolved[name] = value;
  }
  return resolved as Switches;
}
