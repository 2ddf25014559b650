import { expect, test } from "vitest";
import { inParallel } from "../../harness/parallel";
import { type Switches, type SwitchName, switchCatalogue } from "../../second-platform";
import { isLong, summarise } from "../chaos/long/settings";
import { Random } from "../chaos/random";
import { expected } from "./expected";
import { oneOfEach, type Reading, readingOf } from "./readings";
import { findingsOf } from "./whole-life";

/** Values that make something impossible on their own, and those that only make a run long. */
const impossible = new Set(expected.map(({ reading }) => reading));
const excluded: readonly SwitchName[] = ["rateLimit", "connection", "policyDelay"];

/** Combinations that are impossible or contradictory. */
const together: readonly { readonly when: Readonly<Record<string, string>>; readonly not: readonly SwitchName[] }[] = [
  // A busy environment looks like an invalid request.
  { when: { refusalsUnder200: "any" }, not: ["packageBusy"] },
  // The list claims to be complete but is not.
  { when: { usersEnvelope: "users with paging_info" }, not: ["usersPages"] },
  { when: { usersEnvelope: "list" }, not: ["usersPages"] },
  { when: { usersEnvelope: "JSON object by id" }, not: ["usersPages"] },
  // Without id and token, nothing identifies the new account.
  { when: { accountAnswer: "without token" }, not: ["accountId"] },
  // A refresh right after the change sees the old state.
  { when: { enableDelay: "any" }, not: ["usersState", "usersShown"] },
  // Which of the addresses are ours is told by their place alone.
  { when: { whitelistScope: "all accounts, without account_id" }, not: ["whitelistOrder"] },
  // An arbitrary object stands for an empty list.
  { when: { extraFields: "in the envelope" }, not: ["hiveEmpty", "policyViewNone"] },
];

/** Many non-default readings at once: about a fifth of the switches, reproducible by seed. */
function combinations(count: number, seed: number): Reading[] {
  return Array.from({ length: count }, (_, index) => {
    const random = new Random(seed + index);
    const switches: Record<string, string> = {};
    for (const [name, all] of Object.entries(switchCatalogue)) {
      const values = all.filter((value) => !impossible.has(`${name}=${value}`));
      if (!excluded.includes(name as SwitchName) && random.chance(0.2)) switches[name] = random.pick(values);
    }
    for (const { when, not } of together)
      if (
        Object.entries(when).every(([name, value]) => switches[name] === value || (value === "any" && switches[name]))
      )
        for (const name of not) delete switches[name];
    return readingOf(switches as Partial<Switches>, oneOfEach);
  });
}

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
