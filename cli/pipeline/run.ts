import { type ChildProcess, spawn } from "node:child_process";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { onSignals } from "../terminal/signals";
import { type Audience, environmentFor, toolAt, trustedPath } from "./environment";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Set if this process was asked to stop. */
  readonly isInterrupted?: true;
}

export interface RunOptions {
  /** False to keep the output from the log. */
  readonly show?: boolean;
  readonly cwd?: string;
  /** Beside what the audience may have. */
  readonly env?: NodeJS.ProcessEnv;
  /** Kept, and not shown. */
  readonly mute?: RegExp | undefined;
  /** Makes a function for each stream, through which its text goes before it is shown or kept. */
  readonly filter?: () => (text: string) => string;
}

let running: ChildProcess | undefined;
let isInterrupted = false;

/** A cancelled job: let pulumi end in order, so that what it did is recorded and no lock is left behind. */
export function endInOrder(): void {
  onSignals(() => {
    if (!running) process.exit(1);
    isInterrupted = true;
    // The second makes pulumi end at once.
    running.kill("SIGINT");
  });
}

/** `file`: an absolute path. */
function run(file: string, args: readonly string[], audience: Audience, options: RunOptions): Promise<Ran> {
  const { show = true, mute, cwd, env = {}, filter } = options;
  return new Promise((done, fail) => {
    const child = spawn(file, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...environmentFor(audience, trustedPath()), ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own: a terminal sends its signals to this one, and the child would get each twice. Windows
      // would open a window for it.
      detached: process.platform !== "win32",
    });
    const ran = { code: 1, stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      const filtered = filter?.() ?? ((text: string) => text);
      const take = (text: string): void => {
        const visible = filtered(text);
        ran[stream] += visible;
        if (show && !mute?.test(visible)) process[stream].write(visible);
      };
      child[stream].setEncoding("utf8").on("data", take);
      // A filter may keep back a line until it is complete.
      if (filter) child[stream].on("end", () => take("\n"));
    }
    child.on("error", (error) => fail(new Error(`cannot run ${file}: ${error.message}`)));
    child.on("close", (code) => {
      running = undefined;
      done({ ...ran, code: code ?? 1, ...(isInterrupted && { isInterrupted }) });
    });
    running = child;
  });
}

export function pulumi(args: readonly string[], audience: Audience, options: RunOptions = {}): Promise<Ran> {
  return run(toolAt("pulumi"), args, audience, options);
}

/** Another command of this package, as a process of its own. */
export function dataplatform(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(process.execPath, [join(__dirname, "../main.js"), ...args], "platform", options);
}

/** What pulumi prints, and an error if it fails. */
export async function pulumiOutput(
  args: readonly string[],
  audience: Audience,
  options: Omit<RunOptions, "show"> = {},
): Promise<string> {
  return outputOf(["pulumi", ...args], await pulumi(args, audience, { ...options, show: false }));
}

/** The same of git. */
export async function git(...args: readonly string[]): Promise<string> {
  // A container often runs as another user than the one who checked out. Nothing of the repository's settings may run.
  const own = ["-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"];
  return outputOf(["git", ...args], await run(toolAt("git"), [...own, ...args], "git", { show: false }));
}

/** Whether git succeeds. */
export const gitAgrees = (...args: readonly string[]): Promise<boolean> =>
  git(...args).then(
    () => true,
    () => false,
  );

/** Files that contain one of these texts, as `commit:path`. One call, however many files there are. */
export async function filesWith(texts: readonly string[], ...commits: readonly string[]): Promise<string[]> {
  const patterns = texts.flatMap((text) => ["-e", text]);
  const found = await git("grep", "-lazF", "--full-name", ...patterns, ...commits, "--", ":/").catch((error: Error) => {
    // So git says that there is none.
    if (error.message.endsWith("failed: exit code 1")) return "";
    throw error;
  });
  return found.split("\0").filter(Boolean);
}

function outputOf(command: readonly string[], { code, stdout, stderr }: Ran): string {
  if (code === 0) return stdout.replace(/\n$/, "");
  // What Pulumi says if nothing names a backend.
  const hint = stderr.includes("PULUMI_ACCESS_TOKEN must be set") ? "PULUMI_BACKEND_URL is not set here: " : "";
  throw new Error(`${hint}"${command.join(" ")}" failed: ${stderr.trim() || `exit code ${code}`}`);
}

const locked = /the stack is currently locked/;

/** Whether another run held the stack. */
export const isLocked = ({ stderr }: Ran): boolean => locked.test(stderr);

/** Whether that run was on this machine, and has ended without giving the stack up. */
export function isLeftBehind({ stderr }: Ran): boolean {
  const [, host, pid] = /created by \S+@(\S+) \(pid (\d+)\)/.exec(stderr) ?? [];
  if (host !== hostname()) return false;
  try {
    return !process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function lockSeconds(): number {
  const text = process.env["LOCK_SECONDS"] || "600";
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Error(`LOCK_SECONDS is ${JSON.stringify(text)}; use a number of seconds, such as 600, or 0 not to wait`);
}

/** Another run holds the stack: wait for its end, and try again from the start. What says so is shown once: `mute`. */
export async function whenUnlocked(stack: string, attempt: (mute?: RegExp) => Promise<Ran>): Promise<Ran> {
  const until = Date.now() + lockSeconds() * 1000;
  for (let isTold = false; ; isTold = true) {
    const ran = await attempt(isTold ? locked : undefined);
    if (ran.code === 0 || !isLocked(ran) || isLeftBehind(ran) || Date.now() >= until) return ran;
    if (!isTold)
      process.stdout.write(`another run holds ${stack}: waiting for it, until ${new Date(until).toISOString()}\n`);
    await wait(3000 + Math.random() * 2000);
  }
}

export const quiet = (stack: string): string[] => ["--stack", stack, "--non-interactive", "--color", "never"];
