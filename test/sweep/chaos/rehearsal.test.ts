import { describe, expect, test } from "vitest";
import { rehearsal } from "./rehearsal";

/** A sample of what `npm run chaos` does with 200 programs. */
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

describe("a rehearsal ends as the real run does", () => {
  test.each(seeds)("program %i", async (seed) => {
    const { differences, methods } = await rehearsal(seed, { extended: seed % 2 === 0 });
    expect(differences).toEqual([]);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });
});
