import { Declarations } from "../../../provider/core/declarations";
import { type Existing, PartialFailure } from "../../../provider/core/guard";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { definitionOf, hostAt } from "../../harness/in-process";
import { inParallel } from "../../harness/parallel";
import type { Program, ResourceSpec } from "../../harness/stack";

export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** Runs programs: Pulumi's engine, or the small one below. */
export interface Driver {
  /** Runs one `up`. Returns the failures, by resource name. */
  up(program: Program): Promise<Failure[]>;
  /** The messages of the last run. */
  said(): string;
}

interface Held extends Existing {
  readonly type: string;
  /** Incomplete: the next `up` must update it, even if the program has not changed. */
  readonly unfinished: boolean;
}

export interface SmallEngineOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly parallel?: number;
  readonly timeoutSeconds?: number;
  readonly retries?: number;
  /** Turns `dataplatform:extendedApi` on. */
  readonly extended?: boolean;
  /** Shortens every pause. */
  readonly hurried?: boolean;
  /** A file that says how the platform wants its requests. */
  readonly profile?: string | undefined;
  /** What a previous engine recorded. */
  readonly from?: Recorded;
}

/** Everything that persists between runs. */
export interface Recorded {
  readonly state: ReadonlyMap<string, Held>;
  readonly leftOver: readonly { readonly name: string; readonly held: Held }[];
}

/**
 * Does in this process what Pulumi's engine does with a provider: the same order of check, diff, create, replace and
 * delete, the same handling of partial failures. For thousands of operations, which take the engine minutes.
 */
export class SmallEngine implements Driver {
  readonly #options: SmallEngineOptions;
  readonly #state: Map<string, Held>;
  /** Replaced but not deleted yet. */
  #leftOver: { name: string; held: Held }[];
  readonly #parallel: number;
  #declarations = new Declarations();
  #host: ReturnType<typeof hostAt>;
  /** The resource in progress; the last one of several. */
  busyWith = "";

  constructor(options: SmallEngineOptions) {
    this.#options = options;
    this.#parallel = options.parallel ?? 16;
    this.#state = new Map(options.from?.state);
    this.#leftOver = [...(options.from?.leftOver ?? [])];
    this.#host = this.#connect();
  }

  said(): string {
    return this.#host.said.warnings.join("\n");
  }

  recorded(): Recorded {
    return { state: new Map(this.#state), leftOver: [...this.#leftOver] };
  }

  /** The ids in the state, by name. */
  async ids(): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.#state].map(([name, { id }]) => [name, id]));
  }

  async up(program: Program): Promise<Failure[]> {
    // Every run acts like a new process that only has the state.
    await this.#reconnect();
    const failures: Failure[] = [];
    const attempt = guard(failures);
    await inParallel(Object.entries(program), this.#parallel, ([name, spec]) =>
      attempt(name, () => this.#place(name, spec)),
    );
    const gone = [...this.#state].filter(([name]) => !program[name]).map(([name, held]) => ({ name, held }));
    await inParallel([...this.#leftOver, ...gone.reverse()], this.#parallel, (item) =>
      attempt(item.name, () => this.#remove(item)),
    );
    return failures;
  }

  async refresh(): Promise<Failure[]> {
    await this.#reconnect();
    const failures: Failure[] = [];
    const attempt = guard(failures);
    await inParallel([...this.#state], this.#parallel, ([name, held]) =>
      attempt(name, async () => {
        const found = await this.#life(held.type).read(held.id, held.state);
        if (found) this.#state.set(name, { ...held, ...found });
        else this.#state.delete(name);
      }),
    );
    return failures;
  }

  close(): Promise<void> {
    return this.#host.client.close();
  }

  async #place(name: string, { type, args }: ResourceSpec): Promise<void> {
    this.busyWith = name;
    const life = this.#life(type);
    const held = this.#state.get(name);
    const { inputs, failures: bad } = life.check(args, { who: name, name, old: held && life.inputsOf(held.state) });
    if (bad.length > 0) throw new Error(bad.map(({ property, reason }) => `${property} ${reason}`).join("; "));
    if (!held) return this.#keep(name, type, () => life.create(inputs));
    const { changed, replaces, deleteBeforeReplace, redo } = this.#options.extended
      ? await life.plan(held.id, held.state, inputs)
      : life.diff(held.state, inputs);
    if (changed.length === 0 && !held.unfinished && !redo) return;
    if (replaces.length === 0) return this.#keep(name, type, () => life.update(held.id, held.state, inputs));
    const anew = life.check(args, { who: name, name }).inputs;
    if (deleteBeforeReplace) await this.#remove({ name, held });
    try {
      await this.#keep(name, type, () => life.create(anew));
    } catch (error) {
      // An incomplete resource counts as created: like the engine, go on to delete the old one.
      if (error instanceof PartialFailure && !deleteBeforeReplace) this.#leftOver.push({ name, held });
      throw error;
    }
    if (!deleteBeforeReplace) this.#leftOver.push({ name, held });
  }

  async #keep(name: string, type: string, work: () => Promise<Existing>): Promise<void> {
    try {
      this.#state.set(name, { ...(await work()), type, unfinished: false });
    } catch (error) {
      if (error instanceof PartialFailure) this.#state.set(name, { ...error.existing, type, unfinished: true });
      throw error;
    }
  }

  async #remove({ name, held }: { name: string; held: Held }): Promise<void> {
    this.busyWith = name;
    await this.#life(held.type).delete(held.id, held.state);
    this.#leftOver = this.#leftOver.filter((item) => item.held !== held);
    if (this.#state.get(name) === held) this.#state.delete(name);
  }

  #life(type: string): Lifecycle {
    return new Lifecycle(definitionOf(type), this.#host.host);
  }

  async #reconnect(): Promise<void> {
    this.#declarations = new Declarations();
    await this.#host.client.close();
    this.#host = this.#connect();
  }

  #connect(): ReturnType<typeof hostAt> {
    const { baseUrl: url, profile, timeoutSeconds = 30, retries = 5, extended = false, ...others } = this.#options;
    const options = { ...others, timeoutSeconds, retries, extended, declarations: this.#declarations };
    return hostAt({ url, tokens: {}, profile }, options);
  }
}

function guard(failures: Failure[]) {
  return async (name: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push({ name, message: (error as Error).message });
    }
  };
}
