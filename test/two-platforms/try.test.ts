import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalogue } from "./catalogue";
import { Comparison } from "./run";

test("try", async () => {
  const names = catalogue.map((g) => g.name);
  expect(names.filter((n, i) => names.indexOf(n) !== i)).toEqual([]);
  const t = Date.now();
  await using c = await Comparison.start();
  const d = await c.differences(catalogue);
  console.log(catalogue.length, catalogue.flatMap((g) => g.calls).length, d.length, Date.now() - t);
  writeFileSync("/tmp/diffs.txt", d.map((x) => `${x.call} | ${x.at} | ${x.emulator} | ${x.second}`).join("\n"));
});
