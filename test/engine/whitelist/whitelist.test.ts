import { expect, test } from "vitest";
import { accountOf, freshEmulator } from "../../harness/emulators";
import type { Program } from "../../harness/stack";
import { expectOk, ownStack } from "../../harness/stacks";

const emulator = freshEmulator();

const entries = () => accountOf(emulator).whitelist;
const ip = (ipCidr: string) => ({ type: "WhitelistedIp", args: { ipCidr } });

test("a hundred addresses need few calls: one list for the refresh, batched deletes for the destroy", async () => {
  const stack = await ownStack(emulator);
  // A destroy can only batch what is in flight together, so raise the engine's parallelism.
  stack.env["PULUMI_PARALLEL"] = "128";
  const program: Program = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`ip-${index}`, ip(`198.51.100.${index}`)]),
  );
  await expectOk(stack.up(program));
  expect(entries()).toHaveLength(100);
  expect(emulator.requests().counts["whitelist.add"]).toBe(100);

  emulator.clearRequests();
  expect((await stack.refresh()).summary).toMatchObject({ same: expect.any(Number) });
  const few = expect.toSatisfy((count: number) => count <= 2);
  expect(emulator.requests().counts).toEqual({ "account.view": 1, "whitelist.list": few });

  emulator.clearRequests();
  expect((await stack.destroy()).code).toBe(0);
  expect(entries()).toEqual([]);
  expect(emulator.requests().counts["whitelist.delete"]).toBeLessThanOrEqual(8);
});

test("an error that stops everything is clear, and leaves the state untouched", async () => {
  const stack = await ownStack(emulator);
  await stack.up({ it: ip("203.0.113.7") });
  stack.write({ it: ip("203.0.113.8") });
  const kept = async () => (await stack.exportState()).resources.map(({ id, outputs }) => ({ id, outputs }));
  const before = await kept();
  stack.env["DATAPLATFORM_API_TOKEN"] = "wrong-token-value";
  for (const outcome of [await stack.refresh(), await stack.up()]) {
    expect(outcome.code).not.toBe(0);
    expect(outcome.text).toMatch(/rejected the token \(401\)/);
    expect(outcome.text, "no stack trace").not.toMatch(/\n\s+at .*\.js:\d+/);
  }
  expect(await kept()).toEqual(before);
  expect(entries()).toHaveLength(1);
});
