import { describe, it } from "vitest";
import { sampled } from "../../harness/tier";
import { type Settings, type SwitchEntry, startSecondPlatform } from "..";
import { type Probe, Tester } from "./tester";

/** Switches of one catalogue with a probe for each; `company` holds readings that only show together with another. */
export interface Checked {
  catalogue: Readonly<Record<string, SwitchEntry>>;
  probes: Readonly<Record<string, Probe>>;
  company: Readonly<Record<string, Settings | undefined>>;
  base?: Settings;
}

async function observe(checked: Checked, name: string, value: string | undefined): Promise<string> {
  const given = { ...checked.base, ...checked.company[name], ...(value !== undefined && { [name]: value }) };
  const tester = new Tester(await startSecondPlatform(given));
  tester.platform.holdClock();
  try {
    return JSON.stringify(await checked.probes[name]?.(tester));
  } finally {
    await tester.close();
  }
}

export function checkSwitches(checked: Checked): void {
  describe.concurrent("every value of a switch shows and differs from the others", () => {
    for (const [name, { values }] of sampled(Object.entries(checked.catalogue))) {
      it(name, async ({ expect }) => {
        const [unset, ...seen] = await Promise.all(
          [undefined, ...values].map((value) => observe(checked, name, value)),
        );
        expect(unset, "the default is the first value, and the probe sees the same twice").toBe(seen[0]);
        const same = seen.flatMap((text, i) =>
          seen.indexOf(text) < i ? [`${values[seen.indexOf(text)]} = ${values[i]}`] : [],
        );
        expect(same).toEqual([]);
        expect(seen.join()).not.toMatch(/(mistake|bug) in the second platform/);
      });
    }
  });
}
