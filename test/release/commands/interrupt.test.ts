import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { accountOf, ownEmulator } from "../../harness/emulators";
import { engineFolder } from "../../harness/engine";
import type { TestStack } from "../../harness/stack";
import { ownStack } from "../../harness/stacks";

/** Runs `pulumi up`, and interrupts it like Ctrl-C once it waits for the command. */
async function interrupted(
  stack: TestStack,
  waits: () => boolean,
): Promise<{ code: number | null; text: string; ms: number }> {
  const flags = ["--yes", "--skip-preview", "--non-interactive", "--color", "never", "--stack", "test"];
  const child = spawn(join(engineFolder(), "pulumi"), ["up", ...flags], { cwd: stack.folder, env: stack.env });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  const closed = new Promise<number | null>((done) => child.on("close", done));
  while (!waits() && child.exitCode === null) await sleep(50);
  const started = performance.now();
  child.kill("SIGINT");
  return { code: await closed, text, ms: performance.now() - started };
}

test("interrupting submitCommand in dynamic mode ends the wait and reports the command's id", async () => {
  const emulator = await ownEmulator({ waitSeconds: 0, runSeconds: 600 });
  const stack = await ownStack(emulator);
  stack.write({ it: { type: "submitCommand", args: { spark: { sql: "select 1" }, wait: { interval: 1 } } } });
  const { code, text, ms } = await interrupted(stack, () => (emulator.requests().counts["commands.history"] ?? 0) > 1);
  expect(code).not.toBe(0);
  expect(text).toContain(`command ${accountOf(emulator).commands[0]!.id} `);
  expect(ms, text).toBeLessThan(30_000);
  expect((await stack.exportState()).resources).toEqual([]);
});

test("interrupting Commands in plugin mode keeps them, and kills those that ask for it", async () => {
  const emulator = await ownEmulator({ waitSeconds: 0, runSeconds: 600, extended: true });
  const stack = await ownStack(emulator, { mode: "plugin", config: { extendedApi: "true" } });
  const command = (name: string, killOnCancel: boolean) => ({
    type: "Command",
    args: { name, spark: { sql: "select 1" }, wait: { intervalSeconds: 1, killOnCancel } },
  });
  stack.write({ kept: command("kept", false), killed: command("killed", true) });
  const { code, text } = await interrupted(stack, () => (emulator.requests().counts["commands.status"] ?? 0) > 3);
  expect(code).not.toBe(0);
  expect(text).toContain("The command was killed");
  const { resources } = await stack.exportState();
  const found = resources.map(({ id, inputs, outputs }) => [inputs["name"], Number(id), outputs["status"]]).sort();
  const idOf = (name: string) => accountOf(emulator).commands.find((one) => one.name === name)!.id;
  expect(found).toEqual([
    ["kept", idOf("kept"), "running"],
    ["killed", idOf("killed"), "cancelled"],
  ]);
  expect(text).toContain(`command ${idOf("kept")} `);
});
