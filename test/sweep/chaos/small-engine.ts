import { Declarations } from "../../../provider/core/declarations";
import { type Existing, PartialFailure } from "../../../provider/core/guard";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { definitionOf, type HostOptions, hostAt, type PlatformAt } from "../../harness/in-process";
import { inParallel } from "../../harness/parallel";
import type { Program, ResourceSpec } from "../../harness/stack";

export interface Failure {
  readonly name: string;
  readonly message: string;
}

export interface UpOptions {
  /** As `--refresh`. */
  readonly refresh?: boolean;
  /** As `--replace`, by name. */
  readonly replace?: string | undefined;
}

/** Runs programs: Pulumi's engine, or the small one below. */
export interface Runner {
  /** Runs one `up`. Returns the failures, by resource name. */
  up(program: Program, options?: UpOptions): Promise<Failure[]>;
  /** The messages of the last run. */
  said(): string;
  /** The ids in the state, by name. */
  ids(): Promise<ReadonlyMap<string, string>>;
}

export interface Held extends Existing {
  readonly type: string;
  /** Incomplete: the next `up` must update it, even if the program has not changed. */
  readonly unfinished: boolean;
  readonly dependsOn: readonly string[];
}

export interface SmallEngineOptions
  extends Pick<HostOptions, "token" | "retries" | "extended" | "hurried" | "signal">,
    Pick<PlatformAt, "profile"> {
  readonly baseUrl: string;
  /** As `--continue-on-error`: a failure stops only what depends on it. */
  readonly continueOnError?: boolean;
  /** What a previous engine recorded. */
  readonly from?: Recorded;
}

/** Everything that persists between runs. */
export interface Recorded {
  readonly state: ReadonlyMap<string, Held>;
  readonly leftOver: readonly Leaving[];
}

interface Leaving {
  readonly name: string;
  readonly held: Held;
}

type Work = () => Promise<void>;

const atOnce = 16;

/**
 * Does in this process what Pulumi's engine does with a provider. Checks and comparisons come one after the other, as the
 * program declares its resources: one that depends on others when these are done. Creates and updates run beside each
 * other, a replacement in the order that was chosen for it, and deletes last, dependents before what they depend on. After
 * a failure what is under way ends, and nothing else begins. For thousands of operations, which take the engine minutes.
 */
export class SmallEngine implements Runner {
  readonly #options: SmallEngineOptions;
  readonly #state: Map<string, Held>;
  /** Replaced but not deleted yet. */
  #leftOver: Leaving[];
  #failures: Failure[] = [];
  #declarations = new Declarations();
  #host: ReturnType<typeof hostAt>;

  constructor(options: SmallEngineOptions) {
    this.#options = options;
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

  async ids(): Promise<ReadonlyMap<string, string>> {
    return new Map([...this.#state].map(([name, { id }]) => [name, id]));
  }

  async up(program: Program, { refresh = false, replace }: UpOptions = {}): Promise<Failure[]> {
    // Every run acts like a new process that only has the state.
    await this.#reconnect();
    if (refresh) await this.#readAll();
    await this.#placeAll(Object.entries(program), replace);
    const gone = [...this.#state].filter(([name]) => !program[name]).map(([name, held]) => ({ name, held }));
    let rest = [...this.#leftOver, ...gone.reverse()];
    while (rest.length > 0 && !this.#isStopped) {
      const isNeeded = ({ name }: Leaving) => rest.some(({ held }) => held.dependsOn.includes(name));
      const free = rest.filter((one) => !isNeeded(one));
      const now = free.length > 0 ? free : rest;
      rest = rest.filter((one) => !now.includes(one));
      await this.#all(now.map((one) => [one.name, () => this.#remove(one)]));
    }
    return this.#failures;
  }

  async refresh(): Promise<Failure[]> {
    await this.#reconnect();
    await this.#readAll();
    return this.#failures;
  }

  close(): Promise<void> {
    return this.#host.client.close();
  }

  get #isStopped(): boolean {
    const { continueOnError, signal } = this.#options;
    return (this.#failures.length > 0 && !continueOnError) || signal?.aborted === true;
  }

  /** Whether it was done. */
  async #attempt(name: string, work: Work): Promise<boolean> {
    if (this.#isStopped) return false;
    try {
      await work();
      return true;
    } catch (error) {
      this.#failures.push({ name, message: (error as Error).message });
      return false;
    }
  }

  #all(works: readonly (readonly [name: string, work: Work])[]): Promise<void> {
    return inParallel(works, atOnce, async ([name, work]) => void (await this.#attempt(name, work)));
  }

  #readAll(): Promise<void> {
    return this.#all(
      [...this.#state].map(([name, held]) => [
        name,
        async () => {
          const found = await this.#life(held.type).read(held.id, held.state);
          if (found) this.#state.set(name, { ...held, ...found });
          else this.#state.delete(name);
        },
      ]),
    );
  }

  async #placeAll(resources: readonly [string, ResourceSpec][], replace: string | undefined): Promise<void> {
    const placed = new Map<string, Promise<boolean>>();
    const slots = new Slots(atOnce);
    let turn = Promise.resolve(true);
    for (const [name, spec] of resources) {
      const place = async (): Promise<boolean> => {
        const others = await Promise.all(dependenciesOf(spec).map((other) => placed.get(other)));
        if (others.includes(false)) return false;
        let step: Work | undefined;
        turn = turn.then(() =>
          this.#attempt(name, async () => {
            step = await this.#plan(name, spec, name === replace);
          }),
        );
        const isPlanned = await turn;
        return isPlanned && step ? slots.use(() => this.#attempt(name, step!)) : isPlanned;
      };
      placed.set(name, place());
    }
    await Promise.all(placed.values());
  }

  /** What is to be done, if anything. */
  async #plan(name: string, spec: ResourceSpec, isForced: boolean): Promise<Work | undefined> {
    const { type, args } = spec;
    const life = this.#life(type);
    const held = this.#state.get(name);
    const inputs = this.#checked(name, spec, held);
    if (!held) return () => this.#keep(name, spec, () => life.create(inputs));
    const forced = { changed: [], replaces: ["id"], deleteBeforeReplace: mustGoFirst(type), redo: false };
    const { changed, replaces, deleteBeforeReplace, redo } = isForced
      ? forced
      : await life.plan(held.id, held.state, inputs);
    if (replaces.length > 0) {
      const anew = this.#checked(name, { type, args });
      return () => this.#replace({ name, held }, spec, () => life.create(anew), deleteBeforeReplace);
    }
    if (changed.length > 0 || held.unfinished || redo)
      return () => this.#keep(name, spec, () => life.update(held.id, held.state, inputs));
    this.#state.set(name, { ...held, dependsOn: dependenciesOf(spec) });
    return undefined;
  }

  #checked(name: string, { type, args }: ResourceSpec, held?: Held): Record<string, unknown> {
    const life = this.#life(type);
    const { inputs, failures } = life.check(args, { who: name, name, old: held && life.inputsOf(held.state) });
    if (failures.length === 0) return inputs;
    throw new Error(failures.map(({ property, reason }) => `${property} ${reason}`).join("; "));
  }

  async #replace(old: Leaving, spec: ResourceSpec, create: () => Promise<Existing>, isDeletedFirst: boolean) {
    if (isDeletedFirst) {
      await this.#remove(old);
      return this.#keep(old.name, spec, create);
    }
    // An incomplete resource counts as created: like the engine, go on to delete the old one.
    await this.#keep(old.name, spec, create, () => this.#leftOver.push(old));
  }

  async #keep(name: string, spec: ResourceSpec, work: () => Promise<Existing>, whenKept: () => void = () => {}) {
    const keep = (existing: Existing, unfinished: boolean) => {
      this.#state.set(name, { ...existing, type: spec.type, unfinished, dependsOn: dependenciesOf(spec) });
      whenKept();
    };
    try {
      keep(await work(), false);
    } catch (error) {
      if (error instanceof PartialFailure) keep(error.existing, true);
      throw error;
    }
  }

  async #remove({ name, held }: Leaving): Promise<void> {
    await this.#life(held.type).delete(held.id, held.state);
    this.#leftOver = this.#leftOver.filter((item) => item.held !== held);
    if (this.#state.get(name) === held) this.#state.delete(name);
  }

  #life(type: string): Lifecycle {
    return new Lifecycle(definitionOf(type), this.#host.host);
  }

  async #reconnect(): Promise<void> {
    this.#declarations = new Declarations();
    this.#failures = [];
    await this.#host.client.close();
    this.#host = this.#connect();
  }

  #connect(): ReturnType<typeof hostAt> {
    const { baseUrl: url, profile, ...options } = this.#options;
    return hostAt({ url, tokens: {}, profile }, { retries: 5, ...options, declarations: this.#declarations });
  }
}

/** So many at once, and the others as these end. */
class Slots {
  readonly #waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.free--;
    const result = await work();
    const next = this.#waiting.shift();
    if (next) next();
    else this.free++;
    return result;
  }
}

const dependenciesOf = ({ opts }: ResourceSpec) => (opts?.["dependsOn"] ?? []) as readonly string[];

/** The engine asks for no difference then; the classes of these set the option `deleteBeforeReplace`. */
const mustGoFirst = (type: string) => definitionOf(type).keys?.deleteFirst === true;
