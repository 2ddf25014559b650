import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** The emulator that writes a data file. */
interface DataOwner {
  url: string;
  pid: number;
  /** Identifies the emulator, because addresses and process ids get reused. */
  instance: string;
}

/**
 * Takes `<data file>.lock`, so that no two emulators write the same data file. The lock is valid only while the
 * emulator it names answers, so nobody has to clean up after `kill -9` or a container restart.
 * @returns a function that releases the lock
 */
export async function takeDataLock(file: string, owner: DataOwner): Promise<() => void> {
  const lock = `${file}.lock`;
  const text = JSON.stringify(owner);
  for (;;) {
    if (tryCreate(file, lock, text)) return () => removeIfUnchanged(lock, text);
    const found = read(lock);
    // Released in between.
    if (found === undefined) continue;
    const other = parse(found);
    if (other && (await isRunning(other)))
      throw new Error(
        `the data file ${file} is in use by the emulator at ${other.url} (process ${other.pid}): ` +
          `stop that one, or start this one with another data file. If that process is no emulator, remove ${lock}`,
      );
    // What is no lock may be half written.
    if (!other) await wait(50);
    removeIfUnchanged(lock, found);
  }
}

function tryCreate(file: string, lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    throw new Error(`cannot write the data file ${file}: ${message}`);
  }
}

function removeIfUnchanged(lock: string, text: string): void {
  if (read(lock) === text) usable(lock, () => rmSync(lock, { force: true }));
}

/** Undefined if it is not there. */
function read(lock: string): string | undefined {
  return usable(lock, () => {
    try {
      return readFileSync(lock, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  });
}

/** A lock that cannot be read or removed stays so: trying again would never end. */
function usable<T>(lock: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(
      `cannot use the lock ${lock}: ${(error as Error).message}. Remove it if no emulator uses that file`,
    );
  }
}

function parse(text: string): DataOwner | undefined {
  try {
    const { url, pid, instance } = JSON.parse(text) as Partial<DataOwner>;
    const isOwner = typeof url === "string" && new URL(url).protocol === "http:" && typeof instance === "string";
    return isOwner && Number.isInteger(pid) ? { url, pid: pid!, instance } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether that same emulator answers. One that does not answer in time may be busy, unless its process is gone. */
async function isRunning({ url, pid, instance }: DataOwner): Promise<boolean> {
  const limit = AbortSignal.timeout(3000);
  try {
    const health = JSON.parse(await answerOf(`${url}/_emulator/health`, limit)) as { instance?: unknown } | null;
    return health?.instance === instance;
  } catch {
    return limit.aborted && isAlive(pid);
  }
}

function answerOf(url: string, signal: AbortSignal): Promise<string> {
  return new Promise((done, fail) => {
    get(url, { signal, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
        done(Buffer.concat(chunks).toString("utf8"));
      } catch (error) {
        fail(error as Error);
      }
    }).on("error", fail);
  });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
