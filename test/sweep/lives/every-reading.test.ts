import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inParallel } from "../../harness/parallel";
import { step } from "../../harness/steps";
import { extendedCatalogue, switchCatalogue } from "../../second-platform";
import { summarise } from "../chaos/long/settings";
import { type Expected, expected } from "./expected";
import { expectedExtended } from "./expected-extended";
import { everyExtendedReading, extendedFindingsOf } from "./extended-readings";
import type { Choice } from "./idle";
import { findingsOf } from "./reading-life";
import { everyReading } from "./readings";

/**
 * Every resource and every function, on a platform with each reading that the specification allows, and with the
 * extended API each that its sources allow: the provider's promises hold on all of them, or a clear error says why not.
 */
function describeReadings<R extends Choice & { readonly names: readonly string[] }>(
  what: string,
  readings: readonly R[],
  run: (reading: R, profile?: string) => Promise<string[]>,
  { table, catalogue }: { readonly table: readonly Expected[]; readonly catalogue: object },
): void {
  const findings = step("the life on every reading", async () => {
    const found = new Map<string, string[]>();
    await inParallel(readings, 8, async (reading) => void found.set(reading.title, await run(reading)));
    return found;
  });

  // On a busy machine the sweep takes minutes, and all of these wait for it.
  describe(what, { timeout: 900_000 }, () => {
    test("every value of every switch is tested", async () => {
      expect((await findings()).size).toBe(readings.length);
      const switched = new Set(readings.flatMap(({ switches }) => Object.keys(switches)));
      expect([...switched].sort()).toEqual(Object.keys(catalogue).sort());
      const lives = readings.reduce((sum, { names }) => sum + names.length, 0);
      const refused = new Set(table.map(({ reading }) => reading)).size;
      summarise("lives-readings", { what, switches: switched.size, readings: readings.length, lives, refused });
    });

    test("nothing is lost, duplicated, wrong or left over, except for what the table expects", async () => {
      const surprises = [...(await findings())].flatMap(([reading, found]) => {
        const allowed = table.filter((row) => row.reading === reading).flatMap((row) => row.findings);
        return found.filter((one) => !allowed.some((pattern) => pattern.test(one))).map((one) => `${reading}: ${one}`);
      });
      expect(surprises).toEqual([]);
    });

    test("every row of the table is needed", async () => {
      const found = await findings();
      const needed = ({ reading, findings: patterns }: Expected) =>
        found.get(reading)?.some((one) => patterns.some((pattern) => pattern.test(one)));
      expect(table.filter((row) => !needed(row)).map(({ reading }) => reading)).toEqual([]);
    });

    test.each(table.filter(({ requests }) => requests))("$reading: possible with a profile", async (row) => {
      const folder = mkdtempSync(join(tmpdir(), "profile-"));
      const profile = join(folder, "platform.json");
      writeFileSync(profile, JSON.stringify({ requests: row.requests }));
      const reading = readings.find(({ title }) => title === row.reading)!;
      const switches = { ...reading.switches, ...row.switches };
      expect(await run({ ...reading, switches }, profile).finally(() => rmSync(folder, { recursive: true }))).toEqual(
        [],
      );
    });
  });
}

describeReadings("one non-default reading at a time", everyReading(), findingsOf, {
  table: expected,
  catalogue: switchCatalogue,
});

describeReadings("the extended API, one non-default reading at a time", everyExtendedReading(), extendedFindingsOf, {
  table: expectedExtended,
  catalogue: extendedCatalogue,
});
