import { expect, test } from "vitest";
import { sharedEmulator, writesTo } from "../../harness/emulators";
import { mode, sharedStack } from "../../harness/stacks";
import { quick } from "./shared";

/** Declaring the same key in two resources: the engine takes seconds, and test/fast/resources/siblings.test.ts has every key. */

const emulator = sharedEmulator(quick);
const stack = sharedStack(emulator, { mode });

test(`in ${mode} mode, preview fails, the error names both, and nothing is sent`, async () => {
  const outcome = await stack.preview({
    one: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.1" } },
    two: { type: "IpWhitelist", args: { addresses: ["198.51.100.1", "203.0.113.1/32"] } },
  });
  expect(outcome.code).not.toBe(0);
  // The engine decides which of the two comes first.
  const failure = outcome.diagnostics.find(({ message }) => message.includes("declares the address 203.0.113.1"));
  const [loser, winner] = failure?.urn?.endsWith("::one")
    ? ["one", 'IpWhitelist "two"']
    : ["two", 'WhitelistedIp "one"'];
  expect(failure?.message).toContain(`resource '${loser}'`);
  expect(failure?.message).toContain(`which ${winner} in this program also declares`);
  expect(writesTo(emulator)).toEqual([]);
});
