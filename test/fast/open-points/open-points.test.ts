import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { access } from "./access";
import { commands } from "./commands";
import { requests } from "./requests";
import { things } from "./things";

/* The column "The provider" of docs/open-points.md: every cell has a check that shows that it is true. To change a cell,
 * change its check. */

const claims = { ...requests, ...commands, ...things, ...access };
const column = readFileSync(join(root, "docs/open-points.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(" | ").at(-1)!.replace(/ \|$/, ""));
const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });

test("every cell of the column has a check, and every check a cell", () => {
  expect(column.length).toBeGreaterThan(70);
  expect(Object.keys(claims).toSorted()).toEqual([...new Set(column)].toSorted());
});

test.each(Object.entries(claims))("%s", async (_, check) => void (await check(emulator)));
