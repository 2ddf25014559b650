import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ApiError, invalid, notFound } from "./errors";
import { readJournal, writeJournal } from "./journal";
import type { Change, Store } from "./store";

export interface SnapshotInfo {
  name: string;
  savedAt: string;
}

/** Also a file name, so nothing that leaves the folder or that another system cannot store. */
const validName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const suffix = ".jsonl";

/**
 * Named copies of the state: records, settings with the clock, and the ids given so far. With a data file, they are
 * kept in the folder beside it, each in the format of a data file; otherwise in memory.
 */
export class Snapshots {
  readonly #folder: string | undefined;
  readonly #inMemory = new Map<string, { savedAt: string; changes: Change[] }>();
  /** Number of snapshots saved and deleted since the start. */
  changes = 0;

  constructor(
    private readonly store: Store,
    dataFile: string | undefined,
  ) {
    this.#folder = dataFile === undefined ? undefined : `${dataFile}.snapshots`;
  }

  /** Replaces a snapshot of the same name. */
  save(name: string): SnapshotInfo & { replaced: boolean } {
    checkName(name);
    const replaced = this.#has(name);
    const changes = structuredClone(this.store.snapshot());
    this.changes += 1;
    if (this.#folder === undefined) this.#inMemory.set(name, { savedAt: new Date().toISOString(), changes });
    else this.#write(this.#folder, name, changes);
    return { ...this.#info(name), replaced };
  }

  /** Replaces the state with the snapshot's. Faults, readings and the request log stay. */
  load(name: string): SnapshotInfo {
    this.#mustHave(name);
    for (const change of this.#read(name)) this.store.change(structuredClone(change));
    return this.#info(name);
  }

  delete(name: string): void {
    this.#mustHave(name);
    this.changes += 1;
    if (this.#folder === undefined) this.#inMemory.delete(name);
    else rmSync(this.#file(name));
  }

  /** By name. */
  list(): SnapshotInfo[] {
    return this.#names()
      .sort()
      .map((name) => this.#info(name));
  }

  #names(): string[] {
    if (this.#folder === undefined) return [...this.#inMemory.keys()];
    if (!statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory()) return [];
    return readdirSync(this.#folder)
      .filter((file) => file.endsWith(suffix) && validName.test(file.slice(0, -suffix.length)))
      .map((file) => file.slice(0, -suffix.length));
  }

  #has(name: string): boolean {
    return this.#names().includes(name);
  }

  #mustHave(name: string): void {
    checkName(name);
    if (this.#has(name)) return;
    const names = this.#names().sort().join(", ");
    throw notFound(`there is no snapshot ${name}; ${names === "" ? "none has been saved" : `there are ${names}`}`);
  }

  #info(name: string): SnapshotInfo {
    const savedAt = this.#inMemory.get(name)?.savedAt ?? statSync(this.#file(name)).mtime.toISOString();
    return { name, savedAt };
  }

  #file(name: string): string {
    return join(this.#folder ?? "", `${name}${suffix}`);
  }

  #write(folder: string, name: string, changes: Change[]): void {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeJournal(this.#file(name), changes);
    } catch (error) {
      throw new ApiError(507, `cannot write the snapshot ${this.#file(name)}: ${(error as Error).message}`);
    }
  }

  #read(name: string): readonly Change[] {
    const kept = this.#inMemory.get(name);
    if (kept) return kept.changes;
    try {
      return readJournal(this.#file(name)) ?? [];
    } catch (error) {
      throw invalid(`cannot load the snapshot ${name}: ${(error as Error).message}`);
    }
  }
}

function checkName(name: string): void {
  if (!validName.test(name))
    throw invalid(
      `${JSON.stringify(name)} is not a snapshot name; use up to 64 letters, digits, "-" and "_", such as before-upgrade`,
    );
}
