import { cpSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Emulator, Seed } from "../../../emulator";
import { Calls, GoBetween } from "../../harness/go-between";
import type { TestStack } from "../../harness/stack";
import { type KillReport, promisesAfter, recover, twoPrograms } from "./kill";
import { factsOf } from "./promises";
import { descendants, kill, providersOf, RealEngine, StateCopy, startUp } from "./real-engine";
import type { Facts } from "./world";

type StackConfig = Readonly<Record<string, string>>;
export type Victim = "provider" | "CLI";

/** Kills a process at single calls of one `up` on the real engine, each time from the same starting state. */
export class KillBench {
  readonly #copy: StateCopy;
  readonly #platform: Seed;
  readonly #deployed: Facts;

  private constructor(
    private readonly emulator: Emulator,
    private readonly programs: ReturnType<typeof twoPrograms>,
    private readonly isExtended: boolean,
    /** Before the first program. */
    private readonly found: Facts,
    private readonly between: GoBetween,
    private readonly engine: RealEngine,
  ) {
    this.#copy = new StateCopy(engine.stack);
    this.#platform = emulator.state({ secrets: true }) as Seed;
    this.#deployed = factsOf(emulator);
  }

  /** Deploys the first program. */
  static async start(emulator: Emulator, seed: number, config: StackConfig = {}): Promise<KillBench> {
    emulator.reset();
    const between = await GoBetween.start(emulator.url);
    const engine = await RealEngine.start(between.url, config);
    const found = factsOf(emulator);
    const isExtended = config["extendedApi"] === "true";
    const programs = twoPrograms(seed, found, isExtended);
    const failures = await engine.up(programs.before);
    if (failures.length > 0) throw new Error(`cannot deploy the first program: ${JSON.stringify(failures)}`);
    return new KillBench(emulator, programs, isExtended, found, between, engine);
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
    const { before, after } = this.programs;
    const promises = promisesAfter(this.isExtended, this.found, before, this.#deployed);
    const outcome = await recover(this.engine, this.emulator, promises, after, this.#deployed);
    return {
      operation,
      ...outcome,
      told: [...text.split("\n").filter((line) => line.includes("error")), ...repaired, ...outcome.told],
    };
  }

  async stop(): Promise<void> {
    this.engine.close();
    await this.between.stop();
  }

  #begin(): void {
    this.#copy.restore();
    this.emulator.reset(this.#platform);
    this.engine.stack.write(this.programs.after);
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
