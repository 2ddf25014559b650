import { afterAll, expect } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { nameOf } from "./engine-events";
import type { Args, EmulatorState, LifecycleCase } from "./lifecycle";
import { type Diagnostic, type Outcome, type Program, type StateResource, TestStack } from "./stack";
import { step } from "./steps";

/** What a run needs to know of a resource that lives through it. */
export type Living = Pick<LifecycleCase, "type" | "args" | "prepare" | "drift" | "disappear" | "changes">;

/** What one run of the engine did, and what it left behind. */
export interface Moment {
  readonly outcome: Outcome;
  /** The platform after it, unmasked. */
  readonly platform: EmulatorState;
  /** The stack's resources after it. */
  readonly resources: readonly StateResource[];
  /** Requests by operation, as the emulator counts them. */
  readonly counts: Readonly<Record<string, number>>;
  readonly writes: readonly string[];
}

export interface Place {
  readonly emulator: Emulator;
  readonly stack: TestStack;
  /** An empty stack at the same platform, made when it is first asked for; by default the administrator's, in this mode. */
  empty(how?: { readonly token?: string; readonly mode?: SharedRunOptions["mode"] }): Promise<TestStack>;
}

export interface SharedRunOptions {
  readonly mode: "dynamic" | "plugin";
  readonly extended: boolean;
}

/**
 * A stack in which resources of many types live side by side, each under the name of its type: a run of the engine costs
 * about the same for one as for ten. Its steps run in the order in which they were declared, each once, when a test first
 * asks for one of them.
 */
export class SharedRun {
  readonly #emptyStacks = new Map<string, Promise<TestStack>>();
  readonly #place: () => Promise<Place>;
  #last: () => Promise<unknown>;

  constructor(lives: readonly Living[], options: SharedRunOptions) {
    let started: Promise<Place> | undefined;
    this.#place = step("the start of the stack", () => {
      started = this.#start(lives, options);
      return started;
    });
    this.#last = this.#place;
    afterAll(async () => {
      const place = await started;
      for (const stack of await Promise.all(this.#emptyStacks.values())) stack.remove();
      place?.stack.remove();
      await place?.emulator.close();
    });
  }

  /** A run of the engine. Requests are counted from its start. */
  step(name: string, work: (place: Place) => Promise<Outcome | { readonly outcome: Outcome; readonly on: TestStack }>) {
    const before = this.#last;
    const next = step(name, async () => {
      await before();
      const place = await this.#place();
      place.emulator.clearRequests();
      const result = await work(place);
      const { outcome, on } = "outcome" in result ? result : { outcome: result, on: place.stack };
      return momentOf(place.emulator, outcome, on);
    });
    this.#last = next;
    return next;
  }

  async #start(lives: readonly Living[], { mode, extended }: SharedRunOptions): Promise<Place> {
    const emulator = await startEmulator({ extended });
    for (const { prepare } of lives) await prepare?.(emulator);
    const open = (token: string, inMode: SharedRunOptions["mode"]) =>
      TestStack.create({
        baseUrl: emulator.url,
        token: emulator.tokens[token]!,
        ...(extended ? { config: { extendedApi: "true" } } : {}),
        ...(inMode === "plugin" ? { mode: inMode } : {}),
      });
    const empty: Place["empty"] = ({ token = "admin", mode: inMode = mode } = {}) => {
      const key = `${token} ${inMode}`;
      if (!this.#emptyStacks.has(key)) this.#emptyStacks.set(key, open(token, inMode));
      return this.#emptyStacks.get(key)!;
    };
    return { emulator, stack: await open("admin", mode), empty };
  }
}

async function momentOf(emulator: Emulator, outcome: Outcome, stack: TestStack): Promise<Moment> {
  const { counts, requests } = emulator.requests(1000);
  return {
    outcome,
    platform: structuredClone(emulator.state({ secrets: true })),
    resources: (await stack.exportState()).resources,
    counts,
    writes: requests
      .filter(({ method, operation }) => method !== "GET" && operation !== "partitionSensor.create")
      .map(({ method, path }) => `${method} ${path}`),
  };
}

/** A program that declares every one of them, under the name of its type. */
export function programOf<L extends Living>(lives: readonly L[], argsOf: (life: L) => Args): Program {
  return Object.fromEntries(lives.map((life) => [life.type, { type: life.type, args: argsOf(life) }]));
}

/** The resource in the stack's state, which must be there. */
export function resourceIn({ resources, outcome }: Moment, type: string): StateResource {
  const found = resources.find(({ urn }) => nameOf(urn) === type);
  if (!found) expect.fail(`${type} is not in the state:\n${outcome.text}`);
  return found;
}

export function errorsAbout({ diagnostics }: Outcome, type: string): string[] {
  return about(diagnostics, type, "error");
}

export function about(diagnostics: readonly Diagnostic[], type: string, severity: string): string[] {
  return diagnostics
    .filter((line) => line.severity === severity && line.urn !== undefined && nameOf(line.urn) === type)
    .map(({ message }) => message);
}

export function warningsOf({ diagnostics }: Outcome): string[] {
  return diagnostics.filter(({ severity }) => severity === "warning").map(({ message }) => message);
}

/** `up`, in which a resource that fails does not keep the others from going on: its own tests report it. */
export function upAll(stack: TestStack, program?: Program): Promise<Outcome> {
  if (program) stack.write(program);
  return stack.operate("up", "--yes", "--skip-preview", "--continue-on-error");
}
