import { describe, expect, it } from "vitest";
import { extendedCatalogue, type Switches, type SwitchName, startSecondPlatform, switchCatalogue } from ".";
import { accessCompany, accessProbes } from "./probes/access";
import { checkSwitches } from "./probes/check";
import { commandCompany, commandProbes } from "./probes/commands";
import { formProbes } from "./probes/forms";
import type { Probe } from "./probes/tester";
import { thingCompany, thingProbes } from "./probes/things";
import { transportProbes } from "./probes/transport";
import { whitelistProbes } from "./probes/whitelist";

// The type makes a switch without a probe a compile error.
const probes: Record<SwitchName, Probe> = {
  ...transportProbes,
  ...formProbes,
  ...whitelistProbes,
  ...commandProbes,
  ...thingProbes,
  ...accessProbes,
};

/** Some readings are only visible together with another. */
const company: Partial<Record<SwitchName, Partial<Switches>>> = {
  redirectAddress: { trailingSlash: "308 to the printed form" },
  bodyErrorForm: { refusalsUnder200: "all" },
  whitelistSame: { whitelistRepeat: "conflict" },
  ...commandCompany,
  ...thingCompany,
  ...accessCompany,
};

checkSwitches({ catalogue: switchCatalogue, probes, company });

describe("catalogue", () => {
  it("names the silent paragraph of each switch, and at least two readings", () => {
    for (const [name, entry] of Object.entries({ ...switchCatalogue, ...extendedCatalogue })) {
      expect(entry.values.length, name).toBeGreaterThan(1);
      expect(entry.spec, name).toMatch(/^\d/);
      expect(new Set(entry.values).size, name).toBe(entry.values.length);
    }
    expect(Object.keys(switchCatalogue).length).toBeGreaterThanOrEqual(60);
    const twice = Object.keys(extendedCatalogue).filter((name) => name in switchCatalogue);
    expect(twice, "a name of both catalogues").toEqual([]);
  });

  it("rejects a misspelt switch or value", async () => {
    await expect(startSecondPlatform({ nope: "x" } as Partial<Switches>)).rejects.toThrow("no switch is called nope");
    await expect(startSecondPlatform({ ids: "roman" } as unknown as Partial<Switches>)).rejects.toThrow(
      "no value roman",
    );
  });
});
