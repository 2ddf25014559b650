import { setTimeout as sleep } from "node:timers/promises";

/**
 * What a run declares, by the keys that its resources manage: an address, a role of a group, a package of an
 * environment. The engine checks every declared resource, makes first and deletes last, and one process serves the
 * run; so what this run declares is known when something is about to be removed, and is left alone.
 */
export class Declarations {
  /** By key, who declares it. */
  readonly #declared = new Map<string, Map<string, Declaration>>();
  /** By who, the keys that were declared last: a resource that is replaced is checked twice. */
  readonly #keysOf = new Map<string, readonly string[]>();
  /** What this run has made, or has begun to make. */
  readonly #held = new Set<string>();
  /** What resources of this stack managed before this run, and what they know about it. */
  readonly #owned = new Map<string, unknown>();

  #lastDeclaredAt = Number.NEGATIVE_INFINITY;

  /** Notes the keys of a resource, and tells which of them another resource of the program declares too. */
  declare({ who, label, isNew }: Declarant, keys: readonly string[]): Clash[] {
    this.#lastDeclaredAt = performance.now();
    for (const key of this.#keysOf.get(who) ?? []) this.#declared.get(key)?.delete(who);
    this.#keysOf.set(who, keys);
    return keys.flatMap((key) => {
      const others = this.#declared.get(key) ?? new Map<string, Declaration>();
      const [clash] = others.values();
      others.set(who, { label, isNew });
      this.#declared.set(key, others);
      return clash ? [{ key, label: clash.label }] : [];
    });
  }

  /**
   * Until the program has declared the rest, for an update that is about to remove something: it may be under way while
   * the engine still checks the resource that takes over. One that waits for this update itself comes later, and makes
   * anew what was removed.
   */
  async othersAreDeclared(): Promise<void> {
    const giveUpAt = performance.now() + longestWaitMs;
    for (;;) {
      const quietAt = Math.min(this.#lastDeclaredAt + quietMs, giveUpAt);
      if (performance.now() >= quietAt) return;
      await sleep(quietAt - performance.now());
    }
  }

  /** A create, an update or an import takes charge of these keys. */
  hold(keys: readonly string[]): void {
    for (const key of keys) this.#held.add(key);
  }

  /** These keys are in the state of a resource that the program still declares. */
  own(keys: readonly string[], knowledge?: unknown): void {
    for (const key of keys) if (knowledge !== undefined || !this.#owned.has(key)) this.#owned.set(key, knowledge);
  }

  /** Whether what is found on the platform is there because a resource of this stack put it there. */
  isOwned(key: string): boolean {
    return this.#owned.has(key);
  }

  /** What the resource that managed a key before knows about it, for the one that takes it over. */
  knowledgeOf(key: string): unknown {
    return this.#owned.get(key);
  }

  /** Who declares a key that another resource gives up; for the removing half of an update. */
  declarerOf(key: string): string | undefined {
    const [first] = this.#declared.get(key)?.values() ?? [];
    return first?.label;
  }

  /**
   * Who keeps a key that a delete is about to remove. A resource that is yet to be created, with its creation not begun,
   * keeps nothing: then it is the delete before the create of a replacement.
   */
  keeperOf(key: string): string | undefined {
    const declarers = [...(this.#declared.get(key)?.values() ?? [])];
    const keeper = this.#held.has(key) ? declarers[0] : declarers.find(({ isNew }) => !isNew);
    return keeper?.label ?? (this.#held.has(key) ? "a resource of this run" : undefined);
  }

  /** A provider that outlives a run, because a debugger holds it, begins anew. */
  clear(): void {
    this.#declared.clear();
    this.#keysOf.clear();
    this.#held.clear();
    this.#owned.clear();
  }
}

/** The engine checks one resource after the other, milliseconds apart. */
const quietMs = 250;
const longestWaitMs = 10_000;

export interface Declarant {
  /** Tells resources of a program apart. */
  readonly who: string;
  /** How the user knows it: `IpWhitelist "offices"`. */
  readonly label: string;
  /** Whether the engine knows no earlier inputs: it is to be created, or created anew. */
  readonly isNew: boolean;
}

interface Declaration {
  readonly label: string;
  readonly isNew: boolean;
}

export interface Clash {
  readonly key: string;
  /** The other resource that declares it. */
  readonly label: string;
}

/** For work that belongs to no run: functions, and tools that look at single resources. */
export const noDeclarations = new Declarations();
