import { expect, test } from "vitest";
import { startEmulator } from "../../../emulator";
import { expectOk } from "../../harness/outcomes";
import { shared } from "../../harness/shared";
import { type Program, TestStack } from "../../harness/stack";

const emulator = shared(() => startEmulator({ waitSeconds: 0, runSeconds: 0 }));
const stack = shared(() => TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! }));

const commands = () => emulator.state({ secrets: true }).accounts.find(({ id }) => id === 1001)!.commands;

const program: Program = {
  asOutput: { type: "submitCommand", args: { spark: { sql: "select 1" }, wait: { interval: 1 } } },
  asPromise: {
    type: "submitCommand",
    args: { tableRefresh: { dbName: "default", hiveTable: "customers" } },
    opts: { promise: true },
  },
  after: {
    type: "submitCommand",
    args: { spark: { program: { $ref: "asOutput.id" }, language: "scala" }, name: "after" },
  },
};
const outputs = { output: { $ref: "asOutput.id" }, promise: { $ref: "asPromise.id" }, after: { $ref: "after.id" } };

test("submitCommand is sent once by every up", async () => {
  await expectOk(stack.up(program, outputs));
  expect(commands()).toHaveLength(3);
  const { output, after } = await stack.outputs();
  expect(commands().find(({ name }) => name === "after")).toMatchObject({
    id: Number(after),
    command: { program: output },
  });
  await expectOk(stack.up());
  expect(commands()).toHaveLength(6);
});
