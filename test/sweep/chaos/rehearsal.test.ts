import { expect, test } from "vitest";
import { isLong, summarise } from "./long/settings";
import { type RehearsalReport, rehearsal } from "./rehearsal";

const programs = isLong ? 200 : 20;

test(`${programs} random programs: a rehearsal ends as the real run does`, async () => {
  const reports: RehearsalReport[] = [];
  for (let seed = 1; seed <= programs; seed++) reports.push(await rehearsal(seed, { extended: seed % 2 === 0 }));
  const different = reports.filter(({ differences }) => differences.length > 0);
  expect(different.map(({ seed, differences }) => ({ seed, differences }))).toEqual([]);
  expect(new Set(reports.flatMap(({ methods }) => methods))).toEqual(new Set(["GET"]));
  // The comparison would mean nothing if the runs did nothing, or if none failed.
  const [changing, failing] = (["changes", "failures"] as const).map((what) => reports.filter((one) => one[what] > 0));
  expect(changing!.length).toBeGreaterThan(programs * 0.9);
  expect(failing!.length).toBeGreaterThan(programs * 0.1);
  summarise("rehearse", { programs, failing: failing!.length });
});
