import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { extendedReadings } from "../../emulator/extended/readings";
import { type Reading, specifiedReadings } from "../../emulator/readings-catalogue";

const page = readFileSync(join(__dirname, "../../docs/emulator.md"), "utf8");

/** The rows of a table of readings: where, what is open, what the emulator does, its switch. */
const rowsBelow = (first: string, second: string): string[] =>
  page
    .split(`| ${first} | ${second} | The emulator's choice | Switch |\n|---|---|---|---|\n`)[1]!
    .split("\n\n")[0]!
    .trim()
    .split("\n");

const rows = rowsBelow("Section", "What is open");
const extendedRows = rowsBelow("Of", "What is not known");

function rowOf(name: string, { section, open, values, default: usual, number }: Reading): string {
  const value = (of: string) => `\`${of}\`: ${values?.[of]}`;
  const others = Object.keys(values ?? {}).filter((other) => other !== usual);
  const choice = values ? value(String(usual)) : `\`${usual}\``;
  const other = values ? others.map(value).join("; ") : `a whole number: ${number}`;
  return `| ${section} | ${open} | ${choice} | **${name}** ${other} |`;
}

test.each([
  ["the specification", rows, specifiedReadings],
  ["the extended operations", extendedRows, extendedReadings],
])("the page lists every reading of %s with all of its values", (_of, table, readings: Record<string, Reading>) => {
  const readingRows = table.filter((row) => row.includes("| **"));
  expect(readingRows).toEqual(Object.entries(readings).map(([name, reading]) => rowOf(name, reading)));
});

test("every row has four cells, and the sections come in the order of the specification", () => {
  for (const row of rows) expect(row, row).toMatch(/^\| \d[\d.–]* \| [^|]+ \| [^|]+ \| (none|\*\*[^|]+) \|$/);
  for (const row of extendedRows) expect(row, row).toMatch(/^\| [A-Z][^|]+ \| [^|]+ \| [^|]+ \| (none|\*\*[^|]+) \|$/);
  const sections = rows.map((row) =>
    /^\| (\d+)(?:\.(\d+))?/
      .exec(row)!
      .slice(1)
      .map((part) => Number(part ?? 0)),
  );
  const order = sections.map(([major, minor]) => major! * 100 + minor!);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
