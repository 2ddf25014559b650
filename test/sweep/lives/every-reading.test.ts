import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownFolder } from "../../harness/folders";
import { inParallel } from "../../harness/parallel";
import { step } from "../../harness/steps";
import { switchCatalogue } from "../../second-platform";
import { summarise } from "../chaos/long/settings";
import { type Expected, expected } from "./expected";
import { everyReading } from "./readings";
import { findingsOf } from "./whole-life";

/**
 * Every resource and every function, on a platform with each reading that the specification allows: the provider's
 * promises hold on all of them, or a clear error says why not.
 */
const readings = everyReading();
const findings = step("the life on every reading", async () => {
  const found = new Map<string, string[]>();
  await inParallel(readings, 8, async (reading) => void found.set(reading.title, await findingsOf(reading)));
  return found;
});

// On a busy machine the sweep takes minutes, and all of these wait for it.
describe("one non-default reading at a time", { timeout: 900_000 }, () => {
  test("every value of every switch is tested", async () => {
    expect((await findings()).size).toBe(readings.length);
    const switched = new Set(readings.flatMap(({ switches }) => Object.keys(switches)));
    expect([...switched].sort()).toEqual(Object.keys(switchCatalogue).sort());
    const lives = readings.reduce((sum, { names }) => sum + names.length, 0);
    const refused = new Set(expected.map(({ reading }) => reading)).size;
    summarise("lives-readings", { switches: switched.size, readings: readings.length, lives, refused });
  });

  test("nothing is lost, duplicated, wrong or left over, except for what the table expects", async () => {
    const surprises = [...(await findings())].flatMap(([reading, found]) => {
      const allowed = expected.filter((row) => row.reading === reading).flatMap((row) => row.findings);
      return found.filter((one) => !allowed.some((pattern) => pattern.test(one))).map((one) => `${reading}: ${one}`);
    });
    expect(surprises).toEqual([]);
  });

  test("every row of the table is needed", async () => {
    const found = await findings();
    const needed = ({ reading, findings: patterns }: Expected) =>
      found.get(reading)?.some((one) => patterns.some((pattern) => pattern.test(one)));
    expect(expected.filter((row) => !needed(row)).map(({ reading }) => reading)).toEqual([]);
  });

  test.each(expected.filter(({ requests }) => requests))("$reading: possible with a profile", async (row) => {
    const profile = join(ownFolder(), "platform.json");
    writeFileSync(profile, JSON.stringify({ requests: row.requests }));
    const reading = readings.find(({ title }) => title === row.reading)!;
    const switches = { ...reading.switches, ...row.switches };
    expect(await findingsOf({ ...reading, switches }, profile)).toEqual([]);
  });
});
