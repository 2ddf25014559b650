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
 * Reads the changes of a data file, or of its first `length` bytes. A last line without its end was never answered
 * for, and is left out.
 */
export function readJournal(file: string, length?: number): Change[] | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file).subarray(0, length).toString("utf8").split("\n");
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
 * wait at the same time share one write. What cannot be written is undone in the store, and counted in `losses`.
 */
export class Journal {
  #store: Store | undefined;
  #pending: Change[] = [];
  #writing: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #handle: FileHandle | undefined;
  /** Bytes that were written and answered for; what is behind them is the rest of a failed write. */
  #length = 0;
  #torn = false;
  #trouble: Error | undefined;
  /** How often changes were undone. A request that sees this grow while it waits was not saved, or saw such a one. */
  losses = 0;

  constructor(private readonly file: string) {}

  note(change: Change): void {
    this.#pending.push(change);
  }

  /** Replaces the file by a snapshot, in one step, and opens it for appending. */
  async start(store: Store): Promise<void> {
    const text = `${header}\n${JSON.stringify(store.snapshot())}\n`;
    try {
      replaceFile(this.file, text);
      this.#handle = await open(this.file, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      throw new Error(`cannot write the data file ${this.file}: ${(error as Error).message}`);
    }
    this.#store = store;
    this.#length = Buffer.byteLength(text);
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

  /** The answer to a request whose changes were undone. */
  refusal(): ApiError {
    return new ApiError(
      507,
      `the emulator cannot write its data file ${this.file} (${this.#trouble?.message ?? "it failed a moment ago"}): ` +
        "nothing was changed; make room on the disk, then try again",
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
      this.#undo(error as Error);
    }
    if (this.#next === undefined) this.#writing = undefined;
  }

  async #append(text: string): Promise<void> {
    const handle = this.#handle;
    if (!handle) return;
    if (this.#torn) await handle.truncate(this.#length);
    this.#torn = false;
    await handle.appendFile(text);
    await handle.datasync();
    this.#length += Buffer.byteLength(text);
    if (this.#trouble) say(`the data file ${this.file} can be written again`);
    this.#trouble = undefined;
  }

  /** Back to what the file holds. Without a pause in between, so that no request works on what is undone. */
  #undo(error: Error): void {
    if (!this.#trouble)
      say(
        `cannot write the data file ${this.file}: ${error.message}. Calls that change something are refused with 507 ` +
          "until it can be written again; reading goes on, and nothing that was answered with success is lost",
      );
    this.#trouble = error;
    this.losses += 1;
    this.#pending = [];
    this.#torn = true;
    try {
      if (this.#handle) ftruncateSync(this.#handle.fd, this.#length);
    } catch {
      // The next write tries again before it appends.
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
