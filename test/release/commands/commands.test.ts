import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startEmulator } from "../../../emulator";
import { request } from "../../harness/http";
import { expectOk } from "../../harness/outcomes";
import { shared } from "../../harness/shared";
import { type Program, TestStack } from "../../harness/stack";

const emulator = shared(() => startEmulator({ waitSeconds: 0, runSeconds: 0 }));
let stack: TestStack;

const commands = () => emulator.state({ secrets: true }).accounts.find(({ id }) => id === 1001)!.commands;
const newStack = async (): Promise<TestStack> =>
  TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });

/** A separate stack for a group of tests, and a reset emulator. */
function freshStack(): void {
  beforeAll(async () => {
    emulator.reset();
    stack = await newStack();
  });
  afterAll(() => stack.remove());
}

describe("submitCommand", () => {
  freshStack();
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

  test("is sent once by every up", async () => {
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
  test("invalid arguments fail at preview, even while others are unknown", async () => {
    const { code, text } = await stack.preview({
      it: { type: "submitCommand", args: { spark: { program: { $later: "x" }, retry: 4 }, name: "a<b" } },
    });
    expect(code).not.toBe(0);
    expect(text).toContain("submitCommand: spark.retry must be 1, 2 or 3; name must not contain");
    expect(text, "no stack").not.toContain("    at ");
  });
});

describe("a command that does not succeed", () => {
  freshStack();
  const program = (name: string, wait: object, more: object = {}): Program => ({
    it: { type: "Command", args: { spark: { sql: "select 1" }, name, wait: { interval: 1, ...wait }, ...more } },
  });
  const outcomeOf = (name: string, outcome: string) =>
    request(emulator, "POST", "/_emulator/commands/outcome", { match: { name }, outcome });
  const kept = async (): Promise<[string, unknown, number]> => {
    const { id, outputs, initErrors } = (await stack.exportState()).resources.find(({ urn }) => urn.endsWith("::it"))!;
    return [String(id), outputs["status"], initErrors?.length ?? 0];
  };

  test("fails: its id and logs are in the message, and it stays in the state", async () => {
    await outcomeOf("fails", "error");
    const { code, text } = await stack.up(program("fails", {}));
    const id = String(commands().at(-1)!.id);
    expect(code).not.toBe(0);
    expect(text).toContain(`command ${id} ended with status error`);
    expect(text).toContain(`Logs: commands/${id}/logs`);
    expect(await kept()).toEqual([id, "error", 1]);
    const again = await stack.up();
    expect(again.code).not.toBe(0);
    expect(commands()).toHaveLength(1);
  });

  test("never ends: the wait has its own timeout, and a refresh clears what was left", async () => {
    await outcomeOf("endless", "never");
    const { code, text } = await stack.up(program("endless", { timeout: 2 }));
    const id = String(commands().at(-1)!.id);
    expect(code).not.toBe(0);
    expect(text).toContain(
      `timed out after 2 s (wait.timeoutSeconds) waiting for command ${id}, last seen with status running`,
    );
    expect(await kept()).toEqual([id, "running", 1]);
    await outcomeOf("endless", "done");
    await expectOk(stack.up());
    expect(await kept()).toEqual([id, "done", 0]);
    expect(commands()).toHaveLength(2);
  });
});

test("a run without a terminal prints at most one short line per interval and command", async () => {
  emulator.reset();
  await request(emulator, "POST", "/_emulator/settings", { waitSeconds: 1, runSeconds: 6 });
  const own = await newStack();
  try {
    const args = { spark: { sql: "select 1" }, wait: { interval: 2 } };
    own.write({ a: { type: "Command", args }, b: { type: "submitCommand", args } });
    const { code, stdout, stderr } = await own.pulumi("up", "--yes", "--skip-preview", "--json");
    expect(code, stdout + stderr).toBe(0);
    for (const { id } of commands()) {
      const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.includes(`command ${id} `));
      const messages = lines.map((line) => line.replace(/^.*?((Command|submitCommand): command)/, "$1"));
      expect(lines.length, lines.join("\n")).toBeGreaterThan(0);
      // At most eight seconds: the submission, then one line per interval.
      expect(lines.length, lines.join("\n")).toBeLessThanOrEqual(1 + 5);
      for (const message of messages) expect(message.length, message).toBeLessThan(160);
    }
  } finally {
    own.remove();
  }
});
