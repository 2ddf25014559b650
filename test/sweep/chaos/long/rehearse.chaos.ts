import { expect, test } from "vitest";
import { type RehearsalReport, rehearsal } from "../rehearsal";

const programs = 200;

test("200 random programs: a rehearsal ends as the real run does", async () => {
  const reports: RehearsalReport[] = [];
  for (let seed = 1; seed <= programs; seed++) reports.push(await rehearsal(seed, { extended: seed % 2 === 0 }));
  const different = reports.filter(({ differences }) => differences.length > 0);
  expect(different.map(({ seed, differences }) => ({ seed, differences }))).toEqual([]);
  expect(new Set(reports.flatMap(({ methods }) => methods))).toEqual(new Set(["GET"]));
  // The comparison would mean nothing if the runs did nothing, or if none failed.
  expect(reports.filter(({ changes }) => changes > 0).length).toBeGreaterThan(programs * 0.9);
  expect(reports.filter(({ failures }) => failures > 0).length).toBeGreaterThan(programs * 0.1);
});
