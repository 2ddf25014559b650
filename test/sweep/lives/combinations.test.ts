import { expect, test } from "vitest";
import { inParallel } from "../../harness/parallel";
import { isLong, summarise } from "../chaos/long/settings";
import { combinations } from "./combinations";
import { findingsOf } from "./reading-life";

/** Other or more seeds, for a longer run: `LIVES_SEED=1000 LIVES_COUNT=240 npx vitest run test/sweep/lives/combinations`. */
const seed = Number(process.env["LIVES_SEED"] ?? 1);
const count = Number(process.env["LIVES_COUNT"] ?? (isLong ? 60 : 20));

test(`${count} platforms with many non-default readings at once`, async () => {
  const surprises: string[] = [];
  const platforms = combinations(count, seed);
  const lives = platforms.reduce((sum, { names }) => sum + names.length, 0);
  await inParallel(platforms, 8, async (reading) => {
    const found = await findingsOf(reading);
    if (found.length > 0) surprises.push(`${reading.title}: ${found.join("; ")}`);
  });
  expect(surprises).toEqual([]);
  summarise("lives-combinations", { seed, platforms: platforms.length, lives });
});
