import { expect, test } from "vitest";
import { dataplatform } from "../../harness/command";
import { ExportPlace, exportedObjects, importing } from "../../harness/export-place";
import { request } from "../../harness/http";

const place = new ExportPlace({ extended: true, readings: { dataStoreViewGateway: "shown" } });

test("what the extended API shows joins a stack that was exported without it, and nothing is written", async () => {
  const { emulator, project, env } = place;
  await place.exportAndImport();

  // Later, with the extended API: the roles, the groups and the data stores join the stack.
  const store = { db_type: "postgresql", db_host: "sales.example.com", db_name: "sales", db_user: "reader" };
  await request(emulator, "POST", "/api/v1.2/db_taps/", { ...store, db_passwd: "canary-password", port: 5433 });
  const gateway = { gateway_ip: "10.0.0.9", gateway_username: "jump", gateway_private_key: "canary-key" };
  await request(emulator, "POST", "/api/v1.2/db_taps/", { ...store, db_location: "on-premise", ...gateway });
  const partner = { ip_cidr: "198.51.100.7", description: "partner" };
  await request(emulator, "POST", "/api/v2/accounts/whitelist_ip", partner);
  emulator.clearRequests();
  // An import uses the settings of the last up.
  await place.pulumi(["config", "set", "dataplatform:extendedApi", "true"]);
  await place.pulumi(["up", "--yes", "--skip-preview"]);
  const fromStack = ["--cwd", project, "--stack", "dev", "--force"];
  const again = await dataplatform(["export", ...exportedObjects, ...fromStack, project], { env });
  expect([again.code, again.stderr]).toEqual([0, ""]);
  await place.pulumi(["config", "set", "--secret", "store-sales-2-gateway-private-key", "the actual key"]);
  expect((await place.pulumi(importing())).stdout).toMatch(/= 14 imported[\s\S]*13 unchanged/);
  expect((await place.preview()).stdout).toMatch(/27 unchanged/);
  expect(place.writes()).toEqual([]);
});
