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

test("every row has four cells, and the sections come in the order of the specification", () => {
  for (const row of rows) expect(row, row).toMatch(/^\| \d[\d.–]* \| [^|]+ \| [^|]+ \| \*\*[^|]+ \|$/);
  for (const row of extendedRows) expect(row, row).toMatch(/^\| [A-Z][^|]+ \| [^|]+ \| [^|]+ \| \*\*[^|]+ \|$/);
  const sections = rows.map((row) =>
    /^\| (\d+)(?:\.(\d+))?/
      .exec(row)!
      .slice(1)
      .map((part) => Number(part ?? 0)),
  );
  const order = sections.map(([major, minor]) => major! * 100 + minor!);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
