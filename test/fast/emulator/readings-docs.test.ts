import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue, type Reading, readingNames } from "../../../emulator/readings";

const page = readFileSync(join(__dirname, "../../../docs/emulator-readings.md"), "utf8");

/** The rows of a table of readings: section, what is open, what the emulator does, its switch. */
const rowsBelow = (first: string) =>
  page
    .split(`| ${first} | What is open | The emulator's choice | Switch |\n|---|---|---|---|\n`)[1]!
    .split("\n\n")[0]!
    .trim()
    .split("\n");

const rows = rowsBelow("Section");
const extendedRows = rowsBelow("Operations");

function rowOf(name: string, { section, open, values, default: usual, number }: Reading): string {
  const value = (of: string) => `\`${of}\`: ${values?.[of]}`;
  const others = Object.keys(values ?? {}).filter((other) => other !== usual);
  const choice = values ? value(String(usual)) : `\`${usual}\``;
  const other = values ? others.map(value).join("; ") : `a whole number: ${number}`;
  return `| ${section} | ${open} | ${choice} | **${name}** ${other} |`;
}

test("the page lists every reading with all of its values", () => {
  expect([...rows, ...extendedRows]).toEqual(readingNames.map((name) => rowOf(name, catalogue[name])));
});
