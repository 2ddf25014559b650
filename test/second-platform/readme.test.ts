import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { catalogueTable } from "./switches/table";

it("the README lists the switches as the catalogue has them", () => {
  const text = readFileSync(join(__dirname, "README.md"), "utf8");
  expect(text).toContain(catalogueTable());
});
