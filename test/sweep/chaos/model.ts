import type { Program, ResourceSpec } from "../../harness/stack";
import { type Args, extendedKinds, type Kind, kinds, type Memory } from "./kinds";
import type { Random } from "./random";
import type { Facts } from "./world";

export type Sizes = Readonly<Record<string, number>>;

/** This many slots of every type. */
export function everyType(places: number): Sizes {
  return Object.fromEntries(kinds.map(({ type }) => [type, places]));
}

export interface Mismatch {
  readonly fact: string;
  readonly expected: string;
  readonly observed: string;
}

/** What happens to a slot: it gets a new declaration, keeps its own, or loses it. */
type Choice = "declare" | "leave" | "remove";

/** The desired environment and the facts it implies on the platform, changed step by step at random. */
export class Model {
  readonly facts: Facts;
  /** How many extra times each fact may exist, because an error announced it. */
  readonly announced = new Map<string, number>();
  #program: Record<string, ResourceSpec> = {};
  readonly #memory: Memory = new Map();
  #version = 0;

  constructor(
    private readonly random: Random,
    private readonly sizes: Sizes,
    facts: Facts,
    private readonly options: { readonly addressesPerList?: number; readonly extended?: boolean } = {},
  ) {
    this.facts = new Map(facts);
  }

  get program(): Program {
    return this.#program;
  }

  /**
   * The next program: about a third of the slots are created, changed or removed; the first program fills most of them.
   * `choose` decides for each slot instead of chance.
   */
  step(choose?: (slot: number) => Choice): Program {
    const next: Record<string, ResourceSpec> = {};
    const first = Object.keys(this.#program).length === 0;
    for (const kind of kinds) {
      for (let slot = 0; slot < (this.sizes[kind.type] ?? 0); slot++) {
        const name = `${kind.type}-${slot}`;
        const before = this.#program[name]?.args;
        const args = this.#next(kind, slot, before, choose?.(slot) ?? this.#chance(before !== undefined, first));
        if (args) next[name] = { type: kind.type, args };
      }
    }
    return this.#settle(next);
  }

  /** The empty program, as after destroy. */
  empty(): Program {
    return this.#settle({});
  }

  /** Follows an error's advice: changes one resource's arguments, nothing on the platform. */
  amend(name: string, args: Args): void {
    const spec = this.#program[name];
    if (spec) this.#program = { ...this.#program, [name]: { ...spec, args: { ...spec.args, ...args } } };
  }

  /** Records an error that this resource may have been created although nothing was recorded. */
  announce(name: string): boolean {
    const spec = this.#program[name];
    const fact = spec && this.#kindOf(spec.type).mayRepeat?.(spec.args);
    if (fact === undefined) return false;
    this.announced.set(fact, (this.announced.get(fact) ?? 0) + 1);
    return true;
  }

  /** Differences between platform and model, beyond what errors announced. */
  mismatches(observed: Facts): Mismatch[] {
    const all = new Set([...this.facts.keys(), ...observed.keys()]);
    return [...all].flatMap((fact) => {
      const [expected, found] = [this.facts.get(fact), observed.get(fact)];
      const surplus = Number(found ?? 0) - Number(expected ?? 0);
      const allowed = this.announced.get(fact) ?? 0;
      if (expected === found || (surplus > 0 && surplus <= allowed)) return [];
      return [{ fact, expected: expected ?? "nothing", observed: found ?? "nothing" }];
    });
  }

  /** How many things exist twice, all of them announced by an error. */
  repetitions(observed: Facts): number {
    return [...this.announced.keys()].filter((fact) => Number(observed.get(fact)) > Number(this.facts.get(fact) ?? 0))
      .length;
  }

  #next(kind: Kind, slot: number, before: Args | undefined, choice: Choice): Args | undefined {
    if (choice !== "declare") return choice === "leave" ? before : undefined;
    const { random, facts } = this;
    const { addressesPerList = 250 } = this.options;
    return kind.declare({ random, slot, version: this.#version++, before, facts, addressesPerList });
  }

  #chance(there: boolean, first: boolean): Choice {
    const { random } = this;
    if (!there) return random.chance(first ? 0.8 : 0.4) ? "declare" : "leave";
    if (random.chance(0.12)) return "remove";
    return random.chance(0.2) ? "declare" : "leave";
  }

  #settle(next: Record<string, ResourceSpec>): Program {
    for (const name of new Set([...Object.keys(this.#program), ...Object.keys(next)])) {
      const [before, after] = [this.#program[name]?.args, next[name]?.args];
      if (before === after) continue;
      const at = name.lastIndexOf("-");
      this.#kindOf(name.slice(0, at)).settle(this.facts, Number(name.slice(at + 1)), before, after, this.#memory);
    }
    this.#program = next;
    return next;
  }

  #kindOf(type: string): Kind {
    const all = this.options.extended ? [...extendedKinds, ...kinds] : kinds;
    return all.find((kind) => kind.type === type)!;
  }
}
