import { join } from "node:path";
import { type Ran, root, run } from "../harness/engine";
import type { TestStack } from "../harness/stack";

/** Runs `dataplatform …` as a pipeline does: nothing is a terminal. */
export function dataplatform(
  args: readonly string[],
  { cwd = root, env = {} }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PULUMI_|DATAPLATFORM_|VITEST|NODE_ENV|NODE_OPTIONS)/.test(name)),
  );
  return run(process.execPath, [join(root, "dist/cli/main.js"), ...args], {
    cwd,
    env: { ...inherited, ...env },
    timeoutMs: 60_000,
  });
}

/** The same, in the folder and with the environment of a stack. */
export function onStack(stack: TestStack, ...args: readonly string[]): Promise<Ran> {
  return dataplatform(args, { cwd: stack.folder, env: stack.env });
}
