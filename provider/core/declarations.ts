import { Quiet } from "../api/quiet";

/**
 * What a run declares, by the keys that its resources manage: an address, a role of a group, a package of an
 * environment. The engine checks every declared resource, and creates before it deletes. So everything that the run
 * declares is known before something is removed, and is left alone.
 */
export class Declarations {
  /** By key: the resources that declare it. */
  readonly #declared = new Map<string, Map<string, Declaration>>();
  /** By key: the resources that add to it, as others may too. */
  readonly #shared = new Map<string, Map<string, Declaration>>();
  /** By key: the resources of the program that managed it before this run. */
  readonly #had = new Map<string, Map<string, Declaration>>();
  /** By resource: the keys it declared last. A resource that is replaced is checked twice. */
  readonly #keysOf = new Map<string, readonly string[]>();
  /** Keys that this run has created, or has started to create. */
  readonly #held = new Set<string>();
  /** Keys that this run has added to, or has started to. */
  readonly #heldShared = new Set<string>();
  /** Keys that resources of this stack managed before this run, and what they know about each. */
  readonly #owned = new Map<string, unknown>();
  /** Keys of which another resource has learned that. */
  readonly #inherited = new Set<string>();
  /** By key: what a delete or an update is removing at this moment. */
  readonly #removals = new Map<string, Promise<unknown>>();
  /** Keys whose removal has begun, and that nobody has taken over since. */
  readonly #removed = new Set<string>();
  /** Which other keys may stand for what was removed: by an id, where this one has the name. */
  readonly #mayBeRemoved: ((key: string) => boolean)[] = [];
  /** By its old name: where something is that this run has moved. */
  readonly #moved = new Map<string, string>();
  /** By its old name: what something will be called that this run renames. */
  readonly #renames = new Map<string, string>();

  /** Whether the run has checked a resource of the program. A refresh checks none. */
  hasProgram = false;

  /** The accounts of resources that the run has seen in the state. */
  readonly accounts = new Set<string>();
  /** These, and that of what this process has created or is about to delete. */
  readonly workedIn = new Set<string>();

  /** What new resources of this run found by its name, and have taken over. */
  readonly takenOver = new Set<string>();

  /** What resources of the program have in the state: by its type, account and id, how the program names it. */
  readonly holders = new Map<string, string>();

  /** Secret values in the inputs of all resources. */
  readonly secrets = new Set<string>();

  /** What other processes of the run declare. */
  others: OtherDeclarations | undefined;

  readonly #engine = new Quiet();

  /**
   * Records the keys of a resource, and returns those that another resource of the program declares too. `shared`: keys
   * that it adds to. Others may do so as well, but none may declare them as its own. `had`: its keys before this run.
   */
  declare(
    { who, label, isNew }: Declarant,
    keys: readonly string[],
    shared: readonly string[] = [],
    had: readonly string[] = [],
  ): Clash[] {
    this.#engine.heard();
    this.others?.declare({ who, label, isNew }, keys, shared);
    for (const key of this.#keysOf.get(who) ?? [])
      for (const declared of [this.#declared, this.#shared, this.#had]) declared.get(key)?.delete(who);
    this.#keysOf.set(who, [...keys, ...shared, ...had]);
    for (const key of had) note(this.#had, key, who, { label, isNew });
    // The same key twice in one resource is its own affair.
    const own = [...new Set(keys)].flatMap((key): Clash[] => {
      const [owner] = this.#declared.get(key)?.values() ?? [];
      const [sharer] = this.#shared.get(key)?.values() ?? [];
      note(this.#declared, key, who, { label, isNew });
      if (owner) return [{ key, label: owner.label, kind: "both own" }];
      return sharer ? [{ key, label: sharer.label, kind: "other shares" }] : [];
    });
    const added = shared.flatMap((key): Clash[] => {
      const [owner] = this.#declared.get(key)?.values() ?? [];
      note(this.#shared, key, who, { label, isNew });
      return owner ? [{ key, label: owner.label, kind: "other owns" }] : [];
    });
    return [...own, ...added];
  }

  /**
   * Waits until the program has declared the rest, for an update that is about to remove something: it may run while the
   * engine still checks the resource that takes over. A resource that depends on this update is declared later, and
   * creates again what was removed.
   */
  othersAreDeclared(): Promise<void> {
    return this.#engine.lasts(quietMs, () => this.others?.lastSaidAt());
  }

  /** The engine has the difference of a resource: it declares one after the other, and has waited for that. */
  answered(): void {
    this.#engine.answered();
  }

  /**
   * A create, an update or an import takes over these keys, once nobody is removing them any more: what is written while
   * another resource still reads what it will write back is lost.
   */
  async takeOver(keys: readonly string[], shared: readonly string[] = []): Promise<void> {
    const awaited = [...keys, ...keys.map(addedTo), ...shared];
    const removals = () => this.removalsOf(awaited) ?? this.others?.removalsOf(awaited);
    for (let removal = removals(); removal; removal = removals()) await removal;
    this.others?.takeOver(keys, shared);
    for (const key of keys) {
      this.#held.add(key);
      this.#removed.delete(key);
    }
    for (const key of shared) this.#heldShared.add(key);
  }

  /** Once an account is known, processes with other tokens learn by it what this one declares. */
  worksIn(account: string): void {
    if (this.workedIn.has(account)) return;
    this.workedIn.add(account);
    this.others?.sayAgain();
  }

  /** Records keys from the state of a resource that the program still declares. */
  own(keys: readonly string[], knowledge?: unknown): void {
    this.#engine.heard();
    // What a resource knows may be secret, so other processes are not told of what they could not manage without that.
    if (knowledge === undefined) this.others?.own(keys.filter((key) => !this.#owned.has(key)));
    for (const key of keys) if (knowledge !== undefined || !this.#owned.has(key)) this.#owned.set(key, knowledge);
  }

  /** The secrets that a text names. */
  secretsIn(text: string): string[] {
    return [...this.secrets].filter((secret) => text.includes(secret));
  }

  /** Whether a resource of this stack put the key on the platform. */
  isOwned(key: string): boolean {
    return this.#owned.has(key) || (this.others?.isOwned(key) ?? false);
  }

  /** What the previous owner of a key knows about it, for the resource that takes it over. */
  knowledgeOf(key: string): unknown {
    const known = this.#owned.get(key);
    if (known !== undefined) this.#inherited.add(key);
    return known;
  }

  /** Whether the resource that takes a key over has asked for that in time. */
  isInherited(key: string): boolean {
    return this.#inherited.has(key);
  }

  /** Removes what these keys stand for. What takes one of them over meanwhile waits for that. */
  async removing<T>(keys: readonly string[], remove: () => Promise<T>): Promise<T> {
    this.others?.removing(keys, true);
    const removal = remove();
    const ended = removal.catch(() => undefined);
    for (const key of keys) {
      this.#removals.set(key, ended);
      this.#removed.add(key);
    }
    try {
      return await removal;
    } finally {
      this.others?.removing(keys, false);
      for (const key of keys) if (this.#removals.get(key) === ended) this.#removals.delete(key);
    }
  }

  /** Resolves when none of these is being removed. Undefined if none is. */
  removalsOf(keys: readonly string[]): Promise<unknown> | undefined {
    const removals = keys.flatMap((key) => this.#removals.get(key) ?? []);
    return removals.length > 0 ? Promise.all(removals) : undefined;
  }

  wasRemoved(key: string): boolean {
    return this.#removed.has(key) || this.#mayBeRemoved.some((isIt) => isIt(key));
  }

  /**
   * Notes that such keys may stand for what was removed. Returns those that this process keeps, as in `keeperOf`, to be put
   * back at once; one that is declared later puts itself back.
   */
  mayHaveRemoved(isIt: (key: string) => boolean): string[] {
    this.#mayBeRemoved.push(isIt);
    return [...this.#declared.keys()].filter((key) => isIt(key) && this.keeperOf(key) !== undefined);
  }

  /** Notes that this run has moved something. */
  move(from: string, to: string, place: string): void {
    this.#moved.set(from, place);
    this.#moved.delete(to);
    // Another thing may get the old name in this run.
    this.#renames.delete(from);
  }

  /** Where it is now. Undefined if the run has not moved it. */
  movedTo(from: string): string | undefined {
    return this.#moved.get(from);
  }

  /** Notes that the program gives another name to something. */
  rename(from: string, name: string): void {
    this.#renames.set(from, name);
  }

  /** What it will be called, until it is. */
  nextNameOf(from: string): string | undefined {
    return this.#moved.has(from) ? undefined : this.#renames.get(from);
  }

  /** Which resource of the program managed a key before this run, and is to be changed so that it no longer does. */
  changerOf(key: string): string | undefined {
    const [first] = [...(this.#had.get(key) ?? [])].filter(([who]) => !this.#declared.get(key)?.has(who));
    return first?.[1].label;
  }

  /** Which resource declares a key that another one gives up, for the removing half of an update. */
  declarerOf(...spellings: readonly string[]): string | undefined {
    const [first] = spellings.flatMap((key) => [...(this.#declared.get(key)?.values() ?? [])]);
    return first?.label ?? this.others?.declarerOf(...spellings);
  }

  /**
   * Which resource keeps a key that a delete is about to remove. A new resource whose creation has not started keeps
   * nothing: then this is the delete-before-create of a replacement.
   */
  keeperOf(...spellings: readonly string[]): string | undefined {
    const [first] = spellings.flatMap((key) => {
      const declarers = [...(this.#declared.get(key)?.values() ?? [])];
      if (this.#held.has(key)) return declarers[0]?.label ?? "a resource of this run";
      return declarers.find(({ isNew }) => !isNew)?.label ?? [];
    });
    return first ?? this.others?.keeperOf(...spellings);
  }

  /** Which resource adds to a key that a delete is about to remove as a whole. As in `keeperOf`, it must have started. */
  sharerOf(key: string): string | undefined {
    const sharers = [...(this.#shared.get(key)?.values() ?? [])];
    const first = this.#heldShared.has(key) ? sharers[0] : sharers.find(({ isNew }) => !isNew);
    return first?.label ?? this.others?.sharerOf(key);
  }
}

/** What a resource that adds to a key is removing of it. */
export const addedTo = (key: string): string => `what is added to the ${key}`;

/** The engine checks resources one after the other, milliseconds apart. */
const quietMs = 250;

interface Declaration {
  /** As shown to the user: `IpWhitelist "offices"`. */
  readonly label: string;
  /** Whether there are no previous inputs: it is to be created or replaced. */
  readonly isNew: boolean;
}

/** The same, of other processes. */
export interface OtherDeclarations
  extends Pick<Declarations, "declarerOf" | "isOwned" | "keeperOf" | "sharerOf" | "removalsOf"> {
  /** Whether there are any. */
  areThere(): boolean;
  /** When one of them last said something, on the clock of `performance`. */
  lastSaidAt(): number | undefined;
  /** What was said before the account was known. */
  sayAgain(): void;
  own(keys: readonly string[]): void;
  removing(keys: readonly string[], isBegun: boolean): void;
  declare(declarant: Declarant, keys: readonly string[], shared: readonly string[]): void;
  takeOver(keys: readonly string[], shared: readonly string[]): void;
}

export interface Declarant extends Declaration {
  /** Identifies the resource within the program. */
  readonly who: string;
}

function note(declared: Map<string, Map<string, Declaration>>, key: string, who: string, one: Declaration): void {
  declared.set(key, (declared.get(key) ?? new Map<string, Declaration>()).set(who, one));
}

export interface Clash {
  readonly key: string;
  /** Whether both manage it as a whole, or one of them only adds to it. */
  readonly kind: "both own" | "other owns" | "other shares";
  /** The other resource that declares it. */
  readonly label: string;
}
