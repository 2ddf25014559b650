import { execFileSync, spawn } from "node:child_process";
import { basename, resolve as resolvePath, sep } from "node:path";

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
  /** Called with what it writes to stdout. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a program and collects its output. One that takes longer than its limit is killed, and that is an error. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = 600_000, onOutput }: RunOptions,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      onOutput?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const limit = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(overLimit([command, ...args], cwd, timeoutMs, stdout + stderr)));
    }, timeoutMs);
    child.on("error", (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.on("close", (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? -1, stdout, stderr });
    });
  });
}

function overLimit([command = "", ...args]: readonly string[], cwd: string, limitMs: number, output: string): string {
  const line = [basename(command), ...args].join(" ").replaceAll(cwd, ".").replaceAll(root, "");
  const last = output.trim().split("\n").slice(-15).join("\n");
  return `killed at its limit of ${limitMs / 1000} s: ${line}\n${last ? `its last lines:\n${last}` : "it had written nothing"}`;
}
