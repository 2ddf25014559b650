import { execFileSync, spawn } from "node:child_process";
import { resolve as resolvePath, sep } from "node:path";

export const root = resolvePath(__dirname, "../..") + sep;

let folder: string | undefined;

/** The folder of the real engine; `npm test` makes sure that it exists. */
export function engineFolder(): string {
  if (process.env["TEST_TIER"] === "fast")
    throw new Error("a test in test/fast starts the engine: it belongs in test/engine or test/release");
  folder ??= execFileSync(process.execPath, [`${root}tools/engine.mjs`], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
  return folder;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs a program and collects its output. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 200_000, signal }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      ...(signal ? { signal } : {}),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
