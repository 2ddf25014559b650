import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { ApiError } from "./errors";
import type { Change, Store } from "./store";

const header = JSON.stringify({ format: "dataplatform-emulator", version: 1 });

/**
 * Reads the changes in a data file, or in its first `length` bytes. Skips an incomplete last line: its request was
 * never acknowledged.
 */
export function readJournal(file: string, length?: number): Change[] | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file).subarray(0, length).toString("utf8").split("\n");
  const incompleteLine = lines.pop();
  if (lines.length === 0 && incompleteLine === "") return undefined;
  if (lines[0] !== header)
    throw new Error(`${file} is not a data file of this emulator; choose another --data file, or delete this one`);
  return lines.slice(1).flatMap((line, index) => {
    try {
      return JSON.parse(line) as Change[];
    } catch {
      throw new Error(`${file} is corrupt at line ${index + 2}; delete it to start from the seed`);
    }
  });
}

/** Atomically replaces the file. Returns its length in bytes. */
export function writeJournal(file: string, changes: readonly Change[]): number {
  const text = `${header}\n${JSON.stringify(changes)}\n`;
  replaceFile(file, text);
  return Buffer.byteLength(text);
}

/**
 * An append-only file of changes. `flush` resolves once all noted changes are on disk; concurrent requests share one
 * write. Changes that cannot be written are rolled back in the store, and counted in `losses`.
 */
export class Journal {
  #store: Store | undefined;
  #pending: Change[] = [];
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** Bytes written and acknowledged; anything after them is left over from a failed write. */
  #length = 0;
  #hasPartialWrite = false;
  #lastError: Error | undefined;
  /** Number of rollbacks. If it grows while a request waits, that request was not saved, or read unsaved data. */
  losses = 0;

  constructor(private readonly file: string) {}

  note(change: Change): void {
    this.#pending.push(change);
  }

  /** Atomically replaces the file with a snapshot, and opens it for appending. */
  async start(store: Store): Promise<void> {
    let length: number;
    try {
      length = writeJournal(this.file, store.snapshot());
      this.#handle = await open(this.file, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      throw new Error(`cannot write the data file ${this.file}: ${(error as Error).message}`);
    }
    this.#store = store;
    this.#length = length;
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

  /** The answer to a request whose changes were rolled back. */
  refusal(): ApiError {
    return new ApiError(
      507,
      `the emulator cannot write its data file ${this.file} (${this.#lastError?.message ?? "a previous write failed"}): ` +
        "nothing was changed; free some disk space, then try again",
    );
  }

  async #write(): Promise<void> {
    this.#writing = this.#next;
    this.#next = undefined;
    const batch = this.#pending;
    this.#pending = [];
    try {
      if (batch.length > 0) await this.#append(`${JSON.stringify(batch)}\n`);
    } catch (error) {
      this.#rollBack(error as Error);
    }
    if (this.#next === undefined) this.#writing = undefined;
  }

  async #append(text: string): Promise<void> {
    const handle = this.#handle;
    if (!handle) return;
    if (this.#hasPartialWrite) await handle.truncate(this.#length);
    this.#hasPartialWrite = false;
    await handle.appendFile(text);
    await handle.datasync();
    this.#length += Buffer.byteLength(text);
    if (this.#lastError) say(`the data file ${this.file} is writable again`);
    this.#lastError = undefined;
  }

  /** Restores the state from the file. Synchronous, so that no request sees data that is being rolled back. */
  #rollBack(error: Error): void {
    if (!this.#lastError)
      say(
        `cannot write the data file ${this.file}: ${error.message}. Writes fail with 507 until the file is writable ` +
          "again; reads still work, and no acknowledged change is lost",
      );
    this.#lastError = error;
    this.losses += 1;
    this.#pending = [];
    this.#hasPartialWrite = true;
    try {
      if (this.#handle) ftruncateSync(this.#handle.fd, this.#length);
    } catch {
      // The next write truncates before it appends.
    }
    this.#store?.restore(readJournal(this.file, this.#length) ?? []);
  }
}

function say(text: string): void {
  process.stderr.write(`emulator: ${text}\n`);
}

function replaceFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
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
