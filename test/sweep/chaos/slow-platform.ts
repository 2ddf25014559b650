import { setTimeout as wait } from "node:timers/promises";
import { type Emulator, startEmulator } from "../../../emulator";
import { type Arriving, GoBetween } from "../../harness/go-between";
import type { Program } from "../../harness/stack";
import { Random } from "./random";
import { type Failure, type Recorded, type Runner, SmallEngine, type UpOptions } from "./small-engine";
import { token, world } from "./world";

/** What a step's requests meet. */
export interface Weather {
  /** The longest answer, in milliseconds: a part of it before the work, the rest after. */
  readonly latencyMs: number;
  /** How old what a list shows may be, in milliseconds. */
  readonly lagMs: number;
  /** The share of requests that are throttled, and of answers that are lost, with the work done or not. */
  readonly throttled: number;
  readonly lost: number;
  /** Writes that are refused: matched against method, path and body. */
  readonly refused?: RegExp | undefined;
  /** After so many writes, nothing gets through any more: the process is killed. Or it is interrupted. */
  readonly killAfter?: number | undefined;
  readonly interruptAfter?: number | undefined;
}

interface Moment {
  readonly at: number;
  readonly state: ReturnType<Emulator["state"]>;
}

export const fairWeather: Weather = { latencyMs: 10, lagMs: 0, throttled: 0, lost: 0 };

/** A run's way to the platform, which a kill closes for good. */
interface Door {
  readonly url: string;
  readonly killed: Promise<void>;
  readonly interrupt: AbortSignal;
  close(): Promise<void>;
}

const lists = /\/(whitelist_ip|get_users|groups|roles|svc_users|list_packages|commands|db_taps)\/?(\?.*)?$/;
const refusal = "refused by the test";

/** The emulator behind a wire that delays, and a second one that shows what the lists of the first were some time ago. */
export class SlowPlatform {
  weather = fairWeather;
  /** The writes, and what was answered. */
  sent: string[] = [];
  #past: Moment[] = [];
  /** What the second emulator has at present. */
  #shown: Moment | undefined;
  #writes = 0;

  private constructor(
    private readonly random: Random,
    readonly emulator: Emulator,
    private readonly late: Emulator,
  ) {}

  static async start(seed: number, extended: boolean): Promise<SlowPlatform> {
    const random = new Random(seed + 1000);
    const readings = { dataStoreViewName: "shown", nameTaken: random.pick(["409", "422"] as const) } as const;
    const options = { seed: world(5), extended, readings };
    return new SlowPlatform(random, await startEmulator(options), await startEmulator(options));
  }

  /** A step begins: lists are up to date. */
  begin(weather: Weather): void {
    this.weather = weather;
    this.sent = [];
    this.#writes = 0;
    this.#past = [];
    this.#note();
  }

  async open(): Promise<Door> {
    const between = await GoBetween.start(this.emulator.url);
    const interrupt = new AbortController();
    let kill = () => {};
    const killed = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const parts = new Map<number, number>();
    between.gate = async (request) => {
      const total = this.random.next() * this.weather.latencyMs;
      const before = total * this.random.next();
      parts.set(request.number, total - before);
      await wait(before);
      return this.#meet(request);
    };
    between.hook = async ({ number, method, url, body, status, text }) => {
      if (method !== "GET") {
        this.#note();
        this.sent.push(`${method} ${decodeURIComponent(url).replace("/api/v1.2", "")} ${body} -> ${status}`);
        this.#writes++;
        if (this.#writes === this.weather.interruptAfter) interrupt.abort();
        if (this.#writes === this.weather.killAfter) {
          between.closed = true;
          kill();
        }
      }
      await wait(parts.get(number));
      if (between.closed) return undefined;
      if (status !== 429 && this.random.chance(this.weather.lost)) throw new Error("lost after the work");
      return { status, text };
    };
    return { url: between.url, killed, interrupt: interrupt.signal, close: () => between.stop() };
  }

  async close(): Promise<void> {
    await Promise.all([this.emulator.close(), this.late.close()]);
  }

  async #meet({ method, url, body }: Arriving) {
    const { throttled, lost, refused, lagMs } = this.weather;
    if (this.random.chance(throttled)) return { answer: { status: 429, text: "" } };
    if (this.random.chance(lost)) throw new Error("lost before the work");
    if (method !== "GET" && refused?.test(`${method} ${decodeURIComponent(url)} ${body}`)) {
      const text = JSON.stringify({ error: { error_code: 422, error_message: refusal } });
      return { answer: { status: 422, text } };
    }
    if (method !== "GET" || lagMs === 0 || !lists.test(url)) return undefined;
    const at = Date.now() - this.random.next() * lagMs;
    const shown = this.#past.findLast((moment) => moment.at <= at) ?? this.#past[0]!;
    if (shown !== this.#shown) this.late.reset(shown.state);
    this.#shown = shown;
    return { target: this.late.url };
  }

  #note(): void {
    if (this.weather.lagMs > 0 || this.#past.length === 0)
      this.#past.push({ at: Date.now(), state: this.emulator.state({ secrets: true }) });
  }
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
