import { expect, onTestFinished, test } from "vitest";
import type { Ran } from "./engine";
import type { PlatformAt } from "./in-process";
import { shared } from "./shared";
import { type Outcome, type StackOptions, TestStack } from "./stack";
import { step } from "./steps";

/** A stack on a platform, with the token of its administrator. */
const stackOn = ({ url, tokens }: PlatformAt, options: StackOptions): Promise<TestStack> =>
  TestStack.create({ baseUrl: url, token: tokens["admin"]!, ...options });

/** One for the tests of a file or of a `describe`. To be called where tests are declared. */
export const sharedStack = (platform: PlatformAt, options: StackOptions = {}): TestStack =>
  shared(() => stackOn(platform, options));

/** One for a single test. */
export async function ownStack(platform: PlatformAt, options: StackOptions = {}): Promise<TestStack> {
  const stack = await stackOn(platform, options);
  onTestFinished(() => stack.remove());
  return stack;
}

export type Mode = "dynamic" | "plugin";

/** What lies in test/modes runs twice: in dynamic mode with `npm test`, in plugin mode in the release tier. */
export const mode: Mode = process.env["TEST_TIER"] === "release" ? "plugin" : "dynamic";

/** What a command did that must succeed. */
export async function expectOk<R extends Ran & { readonly text?: string }>(running: Promise<R>): Promise<R> {
  const ran = await running;
  expect(ran.code, ran.text ?? ran.stdout + ran.stderr).toBe(0);
  return ran;
}

/** What happened to a resource. */
export function kindOf({ changed }: Outcome, name = "it"): string {
  const op = changed[name];
  if (op === undefined) return "same";
  return op === "update" ? "update" : /replace|delete|create/.test(op) ? "replace" : op;
}

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
