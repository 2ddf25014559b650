import { lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Refused } from "./refused";
import { mostBytes } from "./unzip";

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
