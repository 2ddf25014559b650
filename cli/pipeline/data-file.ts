import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { inflateRawSync } from "node:zlib";
import { Refused } from "./refused";

const endOfDirectory = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const directoryEntry = 0x02014b50;

/** A plan of 10,000 resources has about 20 MB. */
export const mostBytes = 50_000_000;

/**
 * The contents of the only file in a zip archive, the form in which GitHub hands out artifacts. Nothing in it is
 * trusted: what does not fit is refused before it is inflated, and inflating ends at the limit.
 */
export function onlyFileIn(zip: Buffer, most: number = mostBytes): string {
  try {
    return inflated(zip, most);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw new Refused([`too large: the artifact has more than ${most} bytes`]);
    throw new Refused([`not verifiable: the artifact is not a zip archive that can be read (${code ?? "its form"})`]);
  }
}

function inflated(zip: Buffer, most: number): string {
  const end = zip.lastIndexOf(endOfDirectory);
  if (end === -1) throw new Refused(["not verifiable: the artifact is not a zip archive"]);
  const count = zip.readUInt16LE(end + 10);
  const entry = zip.readUInt32LE(end + 16);
  if (count !== 1 || zip.readUInt32LE(entry) !== directoryEntry)
    throw new Refused([`not verifiable: the artifact has ${count} files, and 1 was expected`]);
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const data = zip.subarray(start, start + size);
  if (method === 8) return inflateRawSync(data, { maxOutputLength: most }).toString("utf8");
  if (method !== 0) throw new Refused([`not verifiable: the artifact is compressed by method ${method}`]);
  if (data.length > most) throw new Refused([`too large: the artifact has more than ${most} bytes`]);
  return data.toString("utf8");
}

/* Files that go from one job to the next. What an untrusted job wrote is data: of limited size, and never a link. */

export function readData(file: string, most: number = mostBytes): string {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (!stat) throw new Refused([`missing: there is no ${file}; the job before this one did not write it`]);
  if (!stat.isFile()) throw new Refused([`not verifiable: ${file} is not a plain file`]);
  if (stat.size > most) throw new Refused([`too large: ${file} has ${stat.size} bytes, and may have ${most}`]);
  return readFileSync(file, "utf8");
}

export function readJsonData<T>(file: string, most?: number): T {
  const text = readData(file, most);
  try {
    return JSON.parse(text) as T;
  } catch {
    // The parser's message quotes the text.
    throw new Refused([`not verifiable: ${file} is not JSON`]);
  }
}

/** For its owner only: a state holds more than what reports show. */
export function writeData(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof value === "string" ? value : `${JSON.stringify(value)}\n`, { mode: 0o600 });
}
