import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Who writes a data file. */
export interface DataOwner {
  url: string;
  pid: number;
  /** Told apart by this, for addresses and process ids are used again. */
  instance: string;
}

/**
 * Takes `<data file>.lock`, so that no two emulators write the same data file. A lock is held only while the emulator
 * that it names answers: after `kill -9`, or in a restarted container, nobody has to clean up.
 * @returns releases it
 */
export async function takeDataLock(file: string, owner: DataOwner): Promise<() => void> {
  const lock = `${file}.lock`;
  const text = JSON.stringify(owner);
  for (;;) {
    if (tryCreate(file, lock, text)) return () => removeIfStill(lock, text);
    const found = read(lock);
    const other = parse(found);
    if (other && (await isRunning(other)))
      throw new Error(
        `the data file ${file} is in use by the emulator at ${other.url} (process ${other.pid}): ` +
          "stop that one, or give this one a data file of its own",
      );
    // One that is not readable may be in the middle of being written.
    if (!other) await wait(50);
    if (found !== undefined) removeIfStill(lock, found);
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

function removeIfStill(lock: string, text: string): void {
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

/** Whether that very emulator answers. One that takes the connection and says nothing may be busy: it counts. */
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
