import { expect, test } from "vitest";
import { defaultSeed, type Seed, startEmulator } from "../../emulator";
import { expectOk } from "../harness/outcomes";
import { type Program, TestStack } from "../harness/stack";

const submitted = Date.now() - 60_000;
const commands = Array.from({ length: 1000 }, (_, index) => ({
  id: index + 1,
  user_id: 11,
  command_type: "SparkCommand" as const,
  command: { sql: `select ${index}` },
  submitted: submitted + index,
  label: "default",
  name: null,
  pool: null,
  timeout: 129_600,
  template: "generic",
  tags: [],
  macros: [],
  output: null,
  plan: { startAt: submitted, endAt: submitted, outcome: "done" as const, reason: null },
}));
const [first, ...others] = defaultSeed.accounts;
const seed: Seed = { ...defaultSeed, accounts: [{ ...first!, commands }, ...others] };

test("a history of 1,000 commands is read in ten pages of 100, by the function and by the iterator", async () => {
  const emulator = await startEmulator({ seed });
  const options = { baseUrl: emulator.url, token: emulator.tokens["admin"]! };
  const stack = await TestStack.create(options);
  const example = await TestStack.create({
    ...options,
    program: "examples/get-command-history",
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  });
  try {
    const all: Program = { all: { type: "getCommandHistory", args: { limit: 1000 } } };
    await expectOk(stack.up(all, { length: { $ref: "all.commands.length" }, oldest: { $ref: "all.commands.999.id" } }));
    expect(await stack.outputs()).toEqual({ length: 1000, oldest: "1" });
    expect(emulator.requests().counts["commands.history"]).toBe(10);
    emulator.clearRequests();
    // The example reads 500 with the function, then iterates over all.
    await expectOk(example.up());
    expect(await example.outputs()).toEqual({ failed: [], counts: { done: 1000 } });
    expect(emulator.requests().counts["commands.history"]).toBe(5 + 10);
  } finally {
    stack.remove();
    example.remove();
    await emulator.close();
  }
});
