import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { engineFolder } from "../../harness/engine";
import { nameOf } from "../../harness/engine-events";
import type { GoBetween } from "../../harness/go-between";
import { type Outcome, type Program, TestStack } from "../../harness/stack";
import type { Failure, Runner, UpOptions } from "./small-engine";
import { token } from "./world";

/** Runs random programs on Pulumi's engine. */
export class RealEngine implements Runner {
  readonly stack: TestStack;
  #said = "";

  private constructor(stack: TestStack) {
    this.stack = stack;
  }

  static async start(baseUrl: string, config: Readonly<Record<string, string>> = {}): Promise<RealEngine> {
    return new RealEngine(await TestStack.create({ baseUrl, token, config }));
  }

  async up(program: Program, { refresh = false, replace }: UpOptions = {}): Promise<Failure[]> {
    this.stack.write(program);
    const urn = replace && (await this.stack.exportState()).resources.find((one) => nameOf(one.urn) === replace)?.urn;
    const flags = [...(refresh ? ["--refresh"] : []), ...(urn ? ["--replace", urn] : [])];
    return this.#failures(await this.stack.operate("up", "--yes", "--skip-preview", ...flags));
  }

  async ids(): Promise<ReadonlyMap<string, string>> {
    const { resources } = await this.stack.exportState();
    return new Map(resources.map(({ urn, id = "" }) => [nameOf(urn), id]));
  }

  said(): string {
    return this.#said;
  }

  close(): void {
    this.stack.remove();
  }

  #failures({ code, diagnostics, text }: Outcome): Failure[] {
    this.#said = text;
    if (code === 0) return [];
    const errors = diagnostics.filter(({ severity, urn }) => severity === "error" && urn);
    const byName = new Map<string, string>();
    for (const { urn = "", message } of errors)
      if (!urn.includes("pulumi:pulumi:Stack")) byName.set(nameOf(urn), message);
    return byName.size > 0
      ? [...byName].map(([name, message]) => ({ name, message }))
      : [{ name: "(the engine)", message: text.slice(-2000) }];
  }
}

/** A copy of the stack's state, to start from repeatedly. */
export class StateCopy {
  constructor(
    readonly stack: TestStack,
    readonly copy = join(stack.folder, "state-copy"),
  ) {
    cpSync(join(stack.folder, "state"), copy, { recursive: true });
  }

  restore(): void {
    rmSync(join(this.stack.folder, "state"), { recursive: true, force: true, maxRetries: 5 });
    cpSync(this.copy, join(this.stack.folder, "state"), { recursive: true });
  }
}

interface KilledRun {
  readonly child: ChildProcess;
  /** Everything that was printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

/** Starts an `up`, one resource at a time, whose processes can be killed. */
export function startUp(stack: TestStack): KilledRun {
  const flags = ["--yes", "--skip-preview", "--parallel", "1", "--suppress-progress", "--stack", "test"];
  const child = spawn(join(engineFolder(), "pulumi"), ["up", ...flags, "--non-interactive", "--color", "never"], {
    cwd: stack.folder,
    env: stack.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
  // Not "close": processes that outlive a killed CLI keep its pipes open.
  const ended = new Promise<{ code: number | null; text: string }>((resolve) =>
    child.on("exit", (code) => setTimeout(() => resolve({ code, text }), 100)),
  );
  return { child, ended };
}

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** The descendants of a process, from /proc. */
export function descendants(of: number): Process[] {
  const parents = new Map<number, Process[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      parents.set(parent, [...(parents.get(parent) ?? []), { pid: Number(name), command }]);
    } catch {
      // The process exited in the meantime.
    }
  }
  const below = (pid: number): Process[] => (parents.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)]);
  return below(of);
}

/** Those that serve our resources: the plugin, or the runtime of dynamic mode. */
export const providersIn = (family: readonly Process[]): Process[] =>
  family.filter(({ command }) => /dynamic-provider|pulumi-resource-dataplatform|plugin\/main/.test(command));

export type Victim = "provider" | "CLI";

/** Runs `up`, and kills the processes of one kind once the platform has done such a call, but not answered: its path. */
export async function killAt(stack: TestStack, between: GoBetween, program: Program, path: string, victim: Victim) {
  stack.write(program);
  const withheld = between.withhold(({ method, url }) => method === "POST" && url.includes(path));
  const { child, ended } = startUp(stack);
  const reached = await Promise.race([withheld, ended.then(({ text }) => ({ url: text }))]);
  const family = descendants(child.pid!);
  for (const { pid } of victim === "provider" ? providersIn(family) : [{ pid: child.pid! }]) kill(pid);
  await ended;
  for (const { pid } of family) kill(pid);
  between.reset();
  // A killed CLI leaves its lock on the state.
  if (victim === "CLI") await stack.pulumi("cancel", "--yes", "--stack", "test");
  return reached.url;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has already exited.
  }
}
