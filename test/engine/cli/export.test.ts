import { expect, test } from "vitest";
import { dataplatform } from "../../harness/command";
import { ExportPlace } from "../../harness/export-place";
import { expectOk } from "../../harness/stacks";

const place = new ExportPlace({});

test("exports an existing account to a program whose preview shows no changes, without any write", async () => {
  const { project, env } = place;
  expect((await place.exportAndImport()).stdout).toMatch(/= 12 imported/);
  expect((await place.preview()).stdout).toMatch(/13 unchanged/);
  const drift = await expectOk(dataplatform(["drift", "--cwd", project], { env }));
  expect(drift.stdout).toMatch(/12 as declared/);
  expect(place.writes()).toEqual([]);
});
