import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { resolve as resolvePath } from "node:path";
import { quoted } from "../terminal/quote";

export interface Place {
  /** The project's folder. */
  readonly cwd: string;
  /** Undefined for the selected stack. */
  readonly stack: string | undefined;
}

/** `--stack` and `--cwd`, for parseArgs. */
export const placeOptions = {
  stack: { type: "string", short: "s" },
  cwd: { type: "string", default: "." },
} as const;

export function placeIn({ cwd, stack }: { readonly cwd: string; readonly stack?: string | undefined }): Place {
  return { cwd: resolvePath(cwd), stack };
}

/** ` --stack NAME`, for a command to copy; empty for the selected stack. */
export function onStack(stack: string | undefined): string {
  return stack === undefined ? "" : ` --stack ${quoted(stack)}`;
}

const install = "install it (https://www.pulumi.com/docs/install/) or add its folder to PATH, then run this again";

/** Runs the pulumi on PATH non-interactively and returns its stdout. */
export async function pulumi(args: readonly string[], cwd: string, options: RunOptions = {}): Promise<string> {
  const result = await tryPulumi(args, cwd, options);
  if (result.code === 0) return result.stdout;
  if (/no project file found/.test(result.stderr))
    throw new Error(
      `there is no Pulumi project in ${cwd} or above it; run this in the project's folder, or name it with --cwd`,
    );
  const reason = result.stderr.trim().replace(/^error: /, "") || `exit code ${result.code}`;
  throw new Error(`"pulumi ${args.join(" ")}" failed in ${cwd}: ${reason}`);
}

interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Instead of this process's own. */
  readonly env?: NodeJS.ProcessEnv;
  /** For stdin, such as a secret, which others could read from the command line. */
  readonly input?: string;
  /** Interrupts the run; the engine then ends what it has begun. */
  readonly signal?: AbortSignal;
}

/** How long an interrupted run may take to end. */
const graceMs = 10_000;

export function tryPulumi(
  args: readonly string[],
  cwd: string,
  { env = process.env, input, signal }: RunOptions = {},
): Promise<RunResult> {
  // spawn reports a missing cwd as a missing program, so check first.
  if (!isFolder(cwd))
    throw new Error(`the folder ${cwd} does not exist; set --cwd to the folder of the Pulumi project`);
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd,
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    child.stdin?.on("error", () => {}); // it ended without reading; its exit code tells
    child.stdin?.end(input);
    const stop = interrupter(child);
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name]!.setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    child.on("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? new Error(`pulumi is not on PATH; ${install}`) : error),
    );
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      resolve({ code, ...output });
    });
  });
}

function interrupter(child: ChildProcess): () => void {
  return () => {
    child.kill("SIGINT");
    const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
    child.on("close", () => clearTimeout(timer));
  };
}

export function stackFlags({ stack }: Place): string[] {
  return stack === undefined ? [] : ["--stack", stack];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
