import { describe, expect, it } from "vitest";
import { type Switches, type SwitchName, startSecondPlatform, switchCatalogue } from ".";
import { accessCompany, accessProbes } from "./probes/access";
import { commandCompany, commandProbes } from "./probes/commands";
import { formProbes } from "./probes/forms";
import { type Probe, Tester } from "./probes/tester";
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

async function observe(name: SwitchName, value: string | undefined): Promise<string> {
  const given = { ...company[name], ...(value !== undefined && { [name]: value }) } as Partial<Switches>;
  const tester = new Tester(await startSecondPlatform(given));
  try {
    return JSON.stringify(await probes[name](tester));
  } finally {
    await tester.close();
  }
}

describe.concurrent("every value of a switch shows and differs from the others", () => {
  for (const [name, entry] of Object.entries(switchCatalogue)) {
    it(name, async ({ expect }) => {
      const values = entry.values as readonly string[];
      const [unset, ...seen] = await Promise.all(
        [undefined, ...values].map((value) => observe(name as SwitchName, value)),
      );
      expect(unset, "the default is the first value, and the probe sees the same twice").toBe(seen[0]);
      const same = seen.flatMap((text, i) =>
        seen.indexOf(text) < i ? [`${values[seen.indexOf(text)]} = ${values[i]}`] : [],
      );
      expect(same).toEqual([]);
      expect(seen.join()).not.toContain("mistake in the second platform");
    });
  }
});

describe("catalogue", () => {
  it("names the silent paragraph of each switch, and at least two readings", () => {
    for (const [name, entry] of Object.entries(switchCatalogue)) {
      expect(entry.values.length, name).toBeGreaterThan(1);
      expect(entry.spec, name).toMatch(/^\d/);
      expect(new Set(entry.values).size, name).toBe(entry.values.length);
    }
    expect(Object.keys(switchCatalogue).length).toBeGreaterThanOrEqual(60);
  });

  it("rejects a misspelt switch or value", async () => {
    await expect(startSecondPlatform({ nope: "x" } as Partial<Switches>)).rejects.toThrow("no switch is called nope");
    await expect(startSecondPlatform({ ids: "roman" } as unknown as Partial<Switches>)).rejects.toThrow(
      "no value roman",
    );
  });
});
