import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, Seed } from "../../emulator";
import type { Program, TestStack } from "../harness/stack";
import { Calls, GoBetween } from "./go-between";
import { interrupted, type KillReport, recover, twoPrograms } from "./kill";
import { descendants, kill, providersOf, RealEngine, StateCopy, startUp } from "./real-engine";
import { type Facts, observe } from "./world";

type StackConfig = Readonly<Record<string, string>>;
export type Victim = "provider" | "CLI";

/** Kills at single calls of one `up` on the real engine, each from the same point. */
export class KillBench {
  readonly #emulator: Emulator;
  readonly #seed: number;
  readonly #between: GoBetween;
  readonly #engine: RealEngine;
  readonly #copy: StateCopy;
  readonly #platform: Seed;
  /** What the platform showed before the first program. */
  readonly #facts: Facts;
  readonly #after: Program;

  private constructor(emulator: Emulator, seed: number, between: GoBetween, engine: RealEngine, facts: Facts) {
    this.#emulator = emulator;
    this.#seed = seed;
    this.#facts = facts;
    this.#after = twoPrograms(seed, facts).after;
    this.#between = between;
    this.#engine = engine;
    this.#copy = new StateCopy(engine.stack);
    this.#platform = emulator.state({ secrets: true }) as Seed;
  }

  /** The first program is there when this is done. */
  static async start(emulator: Emulator, seed: number, config: StackConfig = {}): Promise<KillBench> {
    emulator.reset();
    const between = await GoBetween.start(emulator.url);
    const engine = await RealEngine.start(between.url, config);
    const facts = observe(emulator);
    const failures = await engine.up(twoPrograms(seed, facts).before);
    if (failures.length > 0) throw new Error(`cannot begin: ${JSON.stringify(failures)}`);
    return new KillBench(emulator, seed, between, engine, facts);
  }

  /** The calls that the run to the second program makes, each by a text of its own. */
  async calls(): Promise<string[]> {
    this.#begin();
    const calls = new Calls();
    const made: string[] = [];
    this.#between.reset((passing) => {
      made.push(calls.key(passing));
      return passing.text;
    });
    const { code, text } = await startUp(this.#engine.stack).ended;
    if (code !== 0) throw new Error(text);
    return made;
  }

  /** Undefined when this run, whose order the engine decides anew, did not make the call. */
  async killAt(wanted: string | RegExp, victim: Victim): Promise<KillReport | undefined> {
    this.#begin();
    const calls = new Calls();
    let call = "";
    const withheld = this.#between.withhold((passing) => {
      call = calls.key(passing);
      return typeof wanted === "string" ? call === wanted : wanted.test(call);
    });
    const run = startUp(this.#engine.stack);
    const pid = run.child.pid!;
    const reached = await Promise.race([withheld, run.ended.then(() => undefined)]);
    if (!reached) return undefined;
    const { body } = reached;
    const { operation } = this.#emulator.requests().requests.at(-1)!;
    const family = descendants(pid);
    if (victim === "provider") for (const provider of providersOf(pid)) kill(provider.pid);
    else kill(pid);
    const { text } = await Promise.race([run.ended, sleep(60_000, { text: "the CLI did not end" })]);
    for (const relative of family) kill(relative.pid);
    kill(pid);
    this.#between.reset();
    const repaired = restoreIfEmpty(this.#engine.stack);
    // The killed CLI has left its lock on the state.
    if (victim === "CLI") await this.#engine.stack.pulumi("cancel", "--yes", "--stack", "test");
    const named = victim === "CLI" ? await this.#pending() : nameIn(text);
    const type = typeOf(operation, body);
    // A call of check or diff is made beside the step that is under way.
    const name = type === undefined || named.startsWith(`${type}-`) ? named : `${type}-1`;
    const { model } = twoPrograms(this.#seed, this.#facts);
    const outcome = await recover(this.#engine, this.#emulator, model);
    const told = [...wordsOn(name, text), ...repaired, ...outcome.told];
    return { call, operation, ...interrupted(name), ...outcome, told };
  }

  async stop(): Promise<void> {
    this.#engine.close();
    await this.#between.stop();
  }

  #begin(): void {
    this.#copy.restore();
    this.#emulator.reset(this.#platform);
    this.#engine.stack.write(this.#after);
  }

  /** The resource that a killed CLI was working on: the state says so. */
  async #pending(): Promise<string> {
    const { stdout, stderr, code } = await this.#engine.stack.pulumi("stack", "export", "--stack", "test");
    if (code !== 0) throw new Error(`the state cannot be read: ${stderr}`);
    const { deployment } = JSON.parse(stdout) as {
      deployment: { pending_operations?: { resource: { urn: string } }[] };
    };
    return deployment.pending_operations?.[0]?.resource.urn.split("::").at(-1) ?? "";
  }
}

/**
 * Pulumi's file backend, killed while it writes the state, may leave an empty file, about once in a hundred kills: "failed to
 * load checkpoint: EOF". The copy that it makes before every write is beside it, and a user would take that.
 */
function restoreIfEmpty(stack: TestStack): string[] {
  const file = join(stack.folder, "state/.pulumi/stacks/project/test.json");
  if (statSync(file).size > 0) return [];
  cpSync(`${file}.bak`, file);
  return ["failed to load checkpoint: EOF (the engine's own file was empty; taken back from its .bak)"];
}

/** The resource that the CLI names in its error: the one whose answer broke off; others only found nobody to ask. */
function nameIn(text: string): string {
  return /dataplatform:(?:index:)?\w+ (\w+-\d) .*error.*EOF/.exec(text)?.[1] ?? "";
}

/** Which type makes such a call, where only one does. */
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

/** What the killed run still said about the resource. */
function wordsOn(name: string, text: string): string[] {
  return text.split("\n").filter((line) => name !== "" && line.includes(name) && line.includes("error"));
}
