import { spawn } from "node:child_process";
import { statSync } from "node:fs";

export interface Place {
  /** The project's folder. */
  readonly cwd: string;
  /** Undefined: the stack that is selected there. */
  readonly stack: string | undefined;
}

const install =
  "install it (https://www.pulumi.com/docs/install/), or add the folder that holds it to PATH, and run this again";

/** Runs the pulumi on PATH to its end, without questions, and gives back what it printed. */
export async function pulumi(args: readonly string[], cwd: string): Promise<string> {
  const ran = await tryPulumi(args, cwd);
  if (ran.code === 0) return ran.stdout;
  const said = ran.stderr.trim().replace(/^error: /, "") || `exit code ${ran.code}`;
  throw new Error(`"pulumi ${args.join(" ")}" failed in ${cwd}: ${said}`);
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function tryPulumi(args: readonly string[], cwd: string): Promise<Ran> {
  // A folder that is not there would be reported as a program that is not there.
  if (!isFolder(cwd)) throw new Error(`there is no folder ${cwd}; --cwd names the folder of the Pulumi project`);
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
      cwd,
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    child.on("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "ENOENT" ? new Error(`there is no pulumi on PATH; ${install}`) : error),
    );
    child.on("close", (code) => resolve({ code, ...output }));
  });
}

export function stackFlags({ stack }: Place): string[] {
  return stack === undefined ? [] : ["--stack", stack];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
