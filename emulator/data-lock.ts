import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** The emulator that writes a data file. */
export interface DataOwner {
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
    const other = parse(found);
    if (other && (await isRunning(other)))
      throw new Error(
        `the data file ${file} is in use by the emulator at ${other.url} (process ${other.pid}): ` +
          "stop that one, or start this one with another data file",
      );
    // An unreadable lock may be half written.
    if (!other) await wait(50);
    if (found !== undefined) removeIfUnchanged(lock, found);
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
  if (read(lock) === text) rmSync(lock, { force: true });
}

function read(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return undefined;
  }
}

function parse(text: string | undefined): DataOwner | undefined {
  try {
    const owner = JSON.parse(text ?? "") as Partial<DataOwner>;
    return typeof owner.url === "string" && typeof owner.instance === "string" ? (owner as DataOwner) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether that same emulator answers. One that accepts the connection but does not answer may be busy, so it counts. */
function isRunning({ url, instance }: DataOwner): Promise<boolean> {
  return new Promise((decide) => {
    const request = get(`${url}/_emulator/health`, { timeout: 3000, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
        decide((JSON.parse(Buffer.concat(chunks).toString("utf8")) as { instance?: unknown }).instance === instance);
      } catch {
        decide(false);
      }
    });
    request.on("timeout", () => {
      decide(true);
      request.destroy();
    });
    request.on("error", () => decide(false));
  });
}
