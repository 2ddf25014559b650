import { expect, test } from "vitest";
import { dataplatform } from "../../harness/command";
import { ExportPlace, importing } from "../../harness/export-place";
import { request } from "../../harness/http";
import { linkPackages } from "../../harness/stack";
import { expectOk } from "../../harness/stacks";

const place = new ExportPlace({});

test("exports an existing account to a program whose preview shows no changes, without any write", async () => {
  const { emulator, project, env } = place;
  for (const ip_cidr of ["203.0.113.7", "2001:DB8:0::1", "10.0.0.0/8"])
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  emulator.clearRequests();
  const objects = ["note/501", "cluster/511", "note/502"].flatMap((object) => ["--object", object]);
  await expectOk(dataplatform(["export", ...objects, project], { env }));
  linkPackages(project);
  await place.init("dev");
  expect((await place.pulumi(importing())).stdout).toMatch(/= 12 imported/);
  expect((await place.preview()).stdout).toMatch(/13 unchanged/);
  const drift = await expectOk(dataplatform(["drift", "--cwd", project], { env }));
  expect(drift.stdout).toMatch(/12 as declared/);
  expect(place.writes()).toEqual([]);
});
