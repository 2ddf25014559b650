import { access } from "./access";
import { commands } from "./commands";
import { forms } from "./forms";
import { things } from "./things";
import { transport } from "./transport";
import { whitelist } from "./whitelist";

export type { SwitchEntry } from "./define";

/** Every switch, its values (the first is the default) and the paragraph of the specification that is silent there. */
export const switchCatalogue = { ...transport, ...forms, ...whitelist, ...commands, ...things, ...access };

export type SwitchName = keyof typeof switchCatalogue;

export type Switches = { [K in SwitchName]: (typeof switchCatalogue)[K]["default"] };

/** The defaults overlaid with the given values; throws on a misspelt name or value, which is a bug in the test. */
export function resolveSwitches(given: Partial<Switches> = {}): Switches {
  const resolved: Record<string, string> = {};
  for (const [name, entry] of Object.entries(switchCatalogue)) resolved[name] = entry.default;
  for (const [name, value] of Object.entries(given)) {
    const entry = (switchCatalogue as Record<string, { values: readonly string[] } | undefined>)[name];
    if (!entry) throw new Error(`no switch is called ${name}`);
    if (value === undefined) continue;
    if (!entry.values.includes(value)) throw new Error(`switch ${name} has no value ${value}`);
    resolved[name] = value;
  }
  return resolved as Switches;
}
