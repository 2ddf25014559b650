import { join } from "node:path";
import { vi } from "vitest";
import { type Ran, root, run } from "./engine";
import { inherited, type TestStack } from "./stack";

/** Runs `dataplatform …` without a terminal, as CI does. */
export function dataplatform(
  args: readonly string[],
  { cwd = root, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  return run(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
    cwd,
    env: { ...inherited(), ...env },
    timeoutMs: 300_000,
  });
}

/** The same, in the folder and with the environment of a stack. */
export function onStack(stack: TestStack, ...args: readonly string[]): Promise<Ran> {
  return dataplatform(args, { cwd: stack.folder, env: stack.env });
}

/** Runs a command inside this process: spawning one takes seconds on a busy machine. */
export async function inside(
  { run: command }: { run(args: string[]): Promise<number> },
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const output = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      output[name] += String(text);
      return true;
    }),
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    return { code: await command([...args]), ...output };
  } catch (error) {
    return { code: 1, ...output, stderr: output.stderr + (error as Error).message };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}
