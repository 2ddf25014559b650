import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Change, Store } from "./store.js";

const header = JSON.stringify({ format: "dataplatform-emulator", version: 1 });

/** Reads the changes of a data file. A last line without its end was never answered for, and is left out. */
export function readJournal(file: string): Change[] | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  const torn = lines.pop();
  if (lines.length === 0 && torn === "") return undefined;
  if (lines[0] !== header)
    throw new Error(`${file} is not a data file of this emulator: choose another --data file, or remove this one`);
  return lines.slice(1).flatMap((line, index) => {
    try {
      return JSON.parse(line) as Change[];
    } catch {
      throw new Error(`${file} is damaged at line ${index + 2}: remove it to start from the seed`);
    }
  });
}

/**
 * An append-only file of changes. `flush` resolves when everything noted so far is on the disk; all requests that
 * wait at the same time share one write.
 */
export class Journal {
  #pending: Change[] = [];
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #handle: FileHandle | undefined;

  constructor(private readonly file: string) {}

  note(change: Change): void {
    this.#pending.push(change);
  }

  /** Replaces the file by a snapshot, in one step, and opens it for appending. */
  async start(store: Store): Promise<void> {
    try {
      replaceFile(this.file, `${header}\n${JSON.stringify(store.snapshot())}\n`);
      this.#handle = await open(this.file, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      throw new Error(`cannot write the data file ${this.file}: ${(error as Error).message}`);
    }
    this.#pending = [];
  }

  flush(): Promise<void> | undefined {
    if (this.#pending.length === 0) return this.#next ?? this.#writing;
    this.#next ??= (this.#writing ?? Promise.resolve()).then(() => this.#write());
    return this.#next;
  }

  async close(): Promise<void> {
    await this.flush();
    await this.#handle?.close();
  }

  async #write(): Promise<void> {
    this.#writing = this.#next;
    this.#next = undefined;
    const batch = this.#pending;
    this.#pending = [];
    // A failed write rejects this promise, and every later one that is chained to it: nothing more is answered.
    await this.#handle?.appendFile(`${JSON.stringify(batch)}\n`);
    await this.#handle?.datasync();
    if (this.#next === undefined) this.#writing = undefined;
  }
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  renameSync(draft, file);
  syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
