import { readFileSync } from "node:fs";

/** The text of a file, or of standard input (`0`). `what`: how an error calls it. */
export function readText(what: string, file: string | 0): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`cannot read ${what}: ${(error as Error).message}`);
  }
}

/** What is in it is for the caller to check. */
export function readJson(what: string, file: string): unknown {
  const text = readText(what, file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`cannot read ${what}: ${(error as Error).message}`);
  }
}
