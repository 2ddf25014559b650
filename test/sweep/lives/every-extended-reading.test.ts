import { describe, expect, test } from "vitest";
import { isFastTier, sampled } from "../../harness/tier";
import { extendedCatalogue } from "../../second-platform";
import { expectedExtended } from "./expected-extended";
import { extendedFindingsOf, extendedReadings } from "./extended-readings";
import { inParallel } from "./reading-life";
import { sampleOf, titleOf } from "./readings";

/**
 * With the extended API, on a platform whose author read only what is known about its operations: every resource and
 * function, with each reading that the sources allow.
 */
describe("the extended API, one non-default reading at a time", () => {
  const readings = isFastTier ? sampled(sampleOf(extendedReadings())) : extendedReadings();
  const findings = new Map<string, string[]>();

  test("every value of every switch is tested", async () => {
    await inParallel(
      readings,
      async (reading) => void findings.set(titleOf(reading), await extendedFindingsOf(reading)),
    );
    const switched = new Set(readings.flatMap(({ switches }) => Object.keys(switches)));
    if (!isFastTier) expect([...switched].sort()).toEqual(Object.keys(extendedCatalogue).sort());
    else expect(switched.size).toBeGreaterThan(Object.keys(extendedCatalogue).length / 4);
  }, 600_000);

  test("nothing is lost, duplicated, wrong or left over, except for what the table expects", () => {
    const surprises = [...findings].flatMap(([reading, found]) => {
      const allowed = expectedExtended.filter((row) => row.reading === reading).flatMap((row) => row.findings);
      return found.filter((one) => !allowed.some((pattern) => pattern.test(one))).map((one) => `${reading}: ${one}`);
    });
    expect(surprises).toEqual([]);
  });

  const testOnEveryLife = isFastTier ? () => undefined : test;
  testOnEveryLife("every row of the table is needed", () => {
    const idle = expectedExtended.filter(({ reading }) => (findings.get(reading) ?? []).length === 0);
    expect(idle.map(({ reading }) => reading)).toEqual([]);
  });
});
