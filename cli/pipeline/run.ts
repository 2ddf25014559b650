import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** False to keep the output from the log. */
  readonly show?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Makes a function for each stream, through which its text goes before it is shown or kept. */
  readonly filter?: () => (text: string) => string;
}

let running: ChildProcess | undefined;

/** A cancelled job: let pulumi end in order, so that what it did is recorded and no lock is left behind. */
export function endInOrder(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => (running ? running.kill("SIGINT") : process.exit(1)));
}

export function run(
  command: string,
  args: readonly string[],
  { show = true, env = {}, filter = () => (text) => text }: RunOptions = {},
): Promise<Ran> {
  const path = `${resolve("node_modules/.bin")}${delimiter}${process.env["PATH"]}`;
  return new Promise((done, fail) => {
    const child = spawn(command, args, {
      env: { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ran = { code: 1, stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      const filtered = filter();
      const take = (text: string): void => {
        const visible = filtered(text);
        ran[stream] += visible;
        if (show) process[stream].write(visible);
      };
      child[stream].setEncoding("utf8").on("data", take);
      // A filter may keep back a line until it is complete.
      child[stream].on("end", () => take("\n"));
    }
    child.on("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "ENOENT" ? "it is not on the PATH; install it" : error.message;
      fail(new Error(`cannot run ${command}: ${why}`));
    });
    child.on("close", (code) => {
      running = undefined;
      done({ ...ran, code: code ?? 1 });
    });
    running = child;
  });
}

/** Another command of this package, as a process of its own. */
export function dataplatform(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(process.execPath, [join(__dirname, "../main.js"), ...args], options);
}

/** The output of a command that must succeed. */
export async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, { show: false });
  if (code === 0) return stdout.trim();
  throw new Error(`"${[command, ...args].join(" ")}" failed: ${stderr.trim() || `exit code ${code}`}`);
}

/** Another run holds the stack: wait for its end, and try again from the start. */
export async function whenUnlocked(stack: string, attempt: () => Promise<Ran>): Promise<Ran> {
  const until = Date.now() + Number(process.env["LOCK_SECONDS"] ?? 600) * 1000;
  for (let isTold = false; ; isTold = true) {
    const ran = await attempt();
    if (ran.code === 0 || !/the stack is currently locked/.test(ran.stderr) || Date.now() >= until) return ran;
    if (!isTold)
      process.stdout.write(`another run holds ${stack}: waiting for it, until ${new Date(until).toISOString()}\n`);
    await wait(3000 + Math.random() * 2000);
  }
}

export const quiet = (stack: string): string[] => ["--stack", stack, "--non-interactive", "--color", "never"];
