import { onTestFinished } from "vitest";
import type { PlatformAt } from "./in-process";
import { shared } from "./shared";
import { type StackOptions, TestStack } from "./stack";

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
