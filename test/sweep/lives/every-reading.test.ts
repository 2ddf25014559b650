import { describe, expect, test } from "vitest";
import { isFastTier, sampled } from "../../harness/tier";
import { switchCatalogue } from "../../second-platform";
import { keepResult } from "../chaos/long/settings";
import { expected } from "./expected";
import { findingsOf, inParallel } from "./reading-life";
import { sampleOf, singleReadings, titleOf } from "./readings";

/**
 * Every resource and every function, on a platform with each reading that the specification allows: the provider's
 * promises hold on all of them, or a clear error says why not.
 */

describe("one non-default reading at a time", () => {
  const readings = isFastTier ? sampled(sampleOf(singleReadings())) : singleReadings();
  const findings = new Map<string, string[]>();

  test("every value of every switch is tested", async () => {
    await inParallel(readings, async (reading) => void findings.set(titleOf(reading), await findingsOf(reading)));
    const switched = new Set(readings.flatMap(({ switches }) => Object.keys(switches)));
    if (isFastTier) expect(switched.size).toBeGreaterThan(Object.keys(switchCatalogue).length / 4);
    else expect([...switched].sort()).toEqual(Object.keys(switchCatalogue).sort());
    const lives = readings.reduce((sum, { names }) => sum + names.length, 0);
    const refused = new Set(expected.map(({ reading }) => reading)).size;
    keepResult("lives-readings", { switches: switched.size, readings: readings.length, lives, refused });
  });

  test("nothing is lost, duplicated, wrong or left over, except for what the table expects", () => {
    const surprises = [...findings].flatMap(([reading, found]) => {
      const allowed = expected.filter((row) => row.reading === reading).flatMap((row) => row.findings);
      return found.filter((one) => !allowed.some((pattern) => pattern.test(one))).map((one) => `${reading}: ${one}`);
    });
    expect(surprises).toEqual([]);
  });

  const testOnEveryLife = isFastTier ? () => undefined : test;
  testOnEveryLife("every row of the table is needed", () => {
    const idle = expected.filter(({ reading, findings: patterns }) => {
      const found = findings.get(reading) ?? [];
      return !found.some((one) => patterns.some((pattern) => pattern.test(one)));
    });
    expect(idle.map(({ reading }) => reading)).toEqual([]);
  });
});
