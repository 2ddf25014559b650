import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { dataplatform } from "../../harness/command";
import { engineFolder, type Ran, run } from "../../harness/engine";
import { request } from "../../harness/http";
import { environment, linkPackages } from "../../harness/stack";

let emulator: Emulator;
let folder: string;
let project: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = await startEmulator({
    extended: true,
    readings: { dataStoreViewGateway: "shown" },
  });
  folder = mkdtempSync(join(tmpdir(), "dataplatform-export-"));
  project = join(folder, "platform");
  mkdirSync(join(folder, "state"));
  env = environment(folder, { baseUrl: emulator.url, token: emulator.tokens["admin"]! });
});
afterAll(async () => {
  await emulator?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function pulumi(...args: readonly string[]): Promise<Ran> {
  const flags = ["--non-interactive", "--color", "never"];
  const ran = await run(join(engineFolder(), "pulumi"), [...args, ...flags], { cwd: project, env });
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return ran;
}

const writes = () =>
  emulator
    .requests()
    .requests.filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);

test("exports an existing account to a program whose preview shows no changes, without any write", async () => {
  for (const ip_cidr of ["203.0.113.7", "2001:DB8:0::1", "10.0.0.0/8"])
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
  emulator.clearRequests();
  const objects = ["note/501", "cluster/511", "note/502"].flatMap((object) => ["--object", object]);
  const exported = await dataplatform(["export", ...objects, project], { env });
  expect(exported.code, exported.stderr).toBe(0);

  linkPackages(project);
  await pulumi("stack", "init", "dev");
  const imported = await pulumi("import", "--file", "import.json", "--generate-code=false", "--yes");
  expect(imported.stdout).toMatch(/= 12 imported/);
  // Pulumi type-checks the program here, as it does for users.
  const preview = await pulumi("preview", "--expect-no-changes", "--diff");
  expect(preview.stdout).toMatch(/13 unchanged/);
  expect(writes()).toEqual([]);

  const drift = await dataplatform(["drift", "--cwd", project], { env });
  expect(drift.code, drift.stdout + drift.stderr).toBe(0);
  expect(drift.stdout).toMatch(/12 as declared/);

  // Later, with the extended API: the roles, the groups and the data stores join the stack.
  const store = { db_type: "postgresql", db_host: "sales.example.com", db_name: "sales", db_user: "reader" };
  await request(emulator, "POST", "/api/v1.2/db_taps/", { ...store, db_passwd: "canary-password", port: 5433 });
  const gateway = { gateway_ip: "10.0.0.9", gateway_username: "jump", gateway_private_key: "canary-key" };
  await request(emulator, "POST", "/api/v1.2/db_taps/", { ...store, db_location: "on-premise", ...gateway });
  const partner = { ip_cidr: "198.51.100.7", description: "partner" };
  await request(emulator, "POST", "/api/v2/accounts/whitelist_ip", partner);
  emulator.clearRequests();
  // An import uses the settings of the last up.
  await pulumi("config", "set", "dataplatform:extendedApi", "true");
  await pulumi("up", "--yes", "--skip-preview");
  const fromStack = ["--cwd", project, "--stack", "dev", "--force"];
  const again = await dataplatform(["export", ...objects, ...fromStack, project], { env });
  expect([again.code, again.stderr]).toEqual([0, ""]);
  await pulumi("config", "set", "--secret", "store-sales-2-gateway-private-key", "the actual key");
  expect((await pulumi("import", "--file", "import.json", "--generate-code=false", "--yes")).stdout).toMatch(
    /= 14 imported[\s\S]*13 unchanged/,
  );
  expect((await pulumi("preview", "--expect-no-changes", "--diff")).stdout).toMatch(/27 unchanged/);
  expect(writes()).toEqual([]);
});
