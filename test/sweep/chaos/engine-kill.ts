import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, Seed } from "../../../emulator";
import { Calls, GoBetween } from "../../harness/go-between";
import type { TestStack } from "../../harness/stack";
import { type KillReport, recover, twoPrograms } from "./kill";
import { descendants, kill, providersOf, RealEngine, StateCopy, startUp } from "./real-engine";
import { observe } from "./world";

type StackConfig = Readonly<Record<string, string>>;
export type Victim = "provider" | "CLI";

/** Kills a process at single calls of one `up` on the real engine, each time from the same starting state. */
export class KillBench {
  readonly #copy: StateCopy;
  readonly #platform: Seed;

  private constructor(
    private readonly emulator: Emulator,
    private readonly programs: () => ReturnType<typeof twoPrograms>,
    private readonly between: GoBetween,
    private readonly engine: RealEngine,
  ) {
    this.#copy = new StateCopy(engine.stack);
    this.#platform = emulator.state({ secrets: true }) as Seed;
  }

  /** Deploys the first program. */
  static async start(emulator: Emulator, seed: number, config: StackConfig = {}): Promise<KillBench> {
    emulator.reset();
    const between = await GoBetween.start(emulator.url);
    const engine = await RealEngine.start(between.url, config);
    const facts = observe(emulator);
    const programs = () => twoPrograms(seed, facts, config["extendedApi"] === "true");
    const failures = await engine.up(programs().before);
    if (failures.length > 0) throw new Error(`cannot deploy the first program: ${JSON.stringify(failures)}`);
    return new KillBench(emulator, programs, between, engine);
  }

  /** The calls of the run to the second program, each with a unique text. */
  async calls(): Promise<string[]> {
    this.#begin();
    const calls = new Calls();
    const made: string[] = [];
    this.between.reset((passing) => {
      made.push(calls.key(passing));
      return passing.text;
    });
    const { code, text } = await startUp(this.engine.stack).ended;
    if (code !== 0) throw new Error(text);
    return made;
  }

  /** Undefined if this run did not make the call; the engine's order varies. */
  async killAt(wanted: string | RegExp, victim: Victim): Promise<KillReport | undefined> {
    this.#begin();
    const calls = new Calls();
    const withheld = this.between.withhold((passing) => {
      const call = calls.key(passing);
      return typeof wanted === "string" ? call === wanted : wanted.test(call);
    });
    const run = startUp(this.engine.stack);
    const pid = run.child.pid!;
    const reached = await Promise.race([withheld, run.ended.then(() => undefined)]);
    if (!reached) return undefined;
    const { body } = reached;
    const { operation } = this.emulator.requests().requests.at(-1)!;
    const family = descendants(pid);
    if (victim === "provider") for (const provider of providersOf(pid)) kill(provider.pid);
    else kill(pid);
    const { text } = await Promise.race([run.ended, sleep(60_000, { text: "the CLI did not exit" })]);
    for (const relative of family) kill(relative.pid);
    kill(pid);
    this.between.reset();
    const repaired = restoreIfEmpty(this.engine.stack);
    // The killed CLI left its lock on the state.
    if (victim === "CLI") await this.engine.stack.pulumi("cancel", "--yes", "--stack", "test");
    const named = victim === "CLI" ? await this.#pending() : nameIn(text);
    const type = typeOf(operation, body);
    // A check or diff call runs alongside the step in flight.
    const name = type === undefined || named.startsWith(`${type}-`) ? named : `${type}-1`;
    const { model } = this.programs();
    const outcome = await recover(this.engine, this.emulator, model);
    const told = [...errorsAbout(name, text), ...repaired, ...outcome.told];
    return { operation, type: name.split("-")[0]!, ...outcome, told };
  }

  async stop(): Promise<void> {
    this.engine.close();
    await this.between.stop();
  }

  #begin(): void {
    this.#copy.restore();
    this.emulator.reset(this.#platform);
    this.engine.stack.write(this.programs().after);
  }

  /** The resource that a killed CLI was working on, from the state. */
  async #pending(): Promise<string> {
    const { stdout, stderr, code } = await this.engine.stack.pulumi("stack", "export", "--stack", "test");
    if (code !== 0) throw new Error(`cannot read the state: ${stderr}`);
    const { deployment } = JSON.parse(stdout) as {
      deployment: { pending_operations?: { resource: { urn: string } }[] };
    };
    return deployment.pending_operations?.[0]?.resource.urn.split("::").at(-1) ?? "";
  }
}

/**
 * Pulumi's file backend may leave an empty file if it is killed while writing the state, about once in a hundred kills:
 * "failed to load checkpoint: EOF". Restore the backup it makes before every write, as a user would.
 */
function restoreIfEmpty(stack: TestStack): string[] {
  const file = join(stack.folder, "state/.pulumi/stacks/project/test.json");
  if (statSync(file).size > 0) return [];
  cpSync(`${file}.bak`, file);
  return ["failed to load checkpoint: EOF (the engine's own file was empty; taken back from its .bak)"];
}

/** The resource in the CLI's error whose answer broke off; others merely found no provider to call. */
function nameIn(text: string): string {
  return /dataplatform:(?:index:)?\w+ (\w+-\d) .*error.*EOF/.exec(text)?.[1] ?? "";
}

/** The type that makes such a call, if only one does. */
function typeOf(operation: string, body: string): string | undefined {
  if (operation === "whitelist.add") return body.includes('"172.') ? "IpWhitelist" : "WhitelistedIp";
  return (
    {
      account: "Account",
      dbTaps: "DataStore",
      groups: "GroupRoleAssignment",
      objectPolicy: "ObjectPolicy",
      package: "PackageSet",
      partitionSensor: "PartitionSensor",
      accounts: "EnabledUser",
      commands: "Command",
      "folders.policy": "FolderPolicy",
      "folders.rename": "Folder",
    } as Record<string, string>
  )[operation.startsWith("folders") ? operation : operation.split(".")[0]!];
}

/** The errors that the killed run still printed about the resource. */
function errorsAbout(name: string, text: string): string[] {
  return text.split("\n").filter((line) => name !== "" && line.includes(name) && line.includes("error"));
}
