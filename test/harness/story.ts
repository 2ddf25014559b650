import { test } from "vitest";
import { step } from "./steps";

/**
 * Makes the tests of a story, in which each builds on the one before. One that is run alone runs the earlier ones first;
 * after one that failed, the others fail with "not run: … failed".
 */
export function story(): (name: string, chapter: () => Promise<void>) => void {
  let last = async (): Promise<void> => undefined;
  return (name, chapter) => {
    const before = last;
    const told = step(`"${name}"`, async () => {
      await before();
      await chapter();
    });
    last = told;
    test(name, () => told());
  };
}
