import type { Program } from "../../harness/stack";
import type { SlowPlatform } from "./slow-platform";
import { type Failure, type Recorded, SmallEngine, type UpOptions } from "./small-engine";
import { token } from "./world";

/** Runs programs against a slow platform: with the small engine, or with Pulumi's. */
export interface Runner {
  up(program: Program, options?: UpOptions): Promise<Failure[]>;
  /** The messages of the last run. */
  said(): string;
  /** The ids in the state, by name. */
  ids(): Promise<ReadonlyMap<string, string>>;
}

/** How much faster than in life everything is: what a platform takes seconds for, it does in a fraction of that. */
const faster = 20;

/** Each run is a process of its own, which a kill ends: it gets no more answers, and records nothing more. */
export class SmallRunner implements Runner {
  #recorded: Recorded = { state: new Map(), leftOver: [] };
  #said = "";

  constructor(
    private readonly platform: SlowPlatform,
    private readonly extended: boolean,
  ) {}

  async up(program: Program, options?: UpOptions): Promise<Failure[]> {
    const { extended } = this;
    const door = await this.platform.open();
    // A client that can be interrupted does not hurry.
    const signal = this.platform.weather.interruptAfter === undefined ? {} : { signal: door.interrupt };
    const engine = new SmallEngine({
      baseUrl: door.url,
      token,
      extended,
      hurried: faster,
      ...signal,
      from: this.#recorded,
    });
    const running = engine.up(program, options);
    const killed = door.killed.then(() => [{ name: "(the engine)", message: "killed" }]);
    const failures = await Promise.race([running, killed]);
    this.#recorded = engine.recorded();
    this.#said = engine.said();
    await door.close();
    await Promise.all([running, engine.close()]).catch(() => {});
    const isCutOff = failures.length === 0 && door.interrupt.aborted && signal.signal !== undefined;
    return isCutOff ? [{ name: "(the engine)", message: "interrupted" }] : failures;
  }

  said(): string {
    return this.#said;
  }

  async ids(): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.#recorded.state].map(([name, { id }]) => [name, id]));
  }
}
