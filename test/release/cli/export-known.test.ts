import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataplatform } from "../../harness/command";
import { accountOf } from "../../harness/emulators";
import { ExportPlace, importing } from "../../harness/export-place";
import { request } from "../../harness/http";
import { linkPackages } from "../../harness/stack";
import { expectOk } from "../../harness/stacks";

const place = new ExportPlace({});

test("what the user knows goes to the program and the import file: no warning, an empty preview, secrets encrypted", async () => {
  const { emulator, folder, project, env } = place;
  const store = { db_type: "mysql", db_host: "sales.example.com", db_name: "sales", db_user: "reader" };
  const gateway = { gateway_ip: "10.0.0.9", gateway_username: "jump", gateway_private_key: "canary-private-key" };
  const body = { ...store, db_location: "on-premise", db_passwd: "canary-password", ...gateway };
  await request(emulator, "POST", "/api/v1.2/db_taps/", body);
  const { id } = accountOf(emulator).dataStores[0]!;
  await request(emulator, "PUT", "/api/v1.2/groups/204/roles/302/assign", {});
  const known = join(folder, "known.yaml");
  writeFileSync(
    known,
    `- type: Account
  inputs: { awsRegion: us-east-1, storageAccessKey: canary-access-key, storageSecretKey: canary-secret-key }
- type: DataStore
  id: ${id}
  name: sales
  inputs:
    dbType: mysql
    dbLocation: on-premise
    dbHost: sales.example.com
    dbName: sales
    dbUser: reader
    dbPasswd: canary-password
    gatewayIp: 10.0.0.9
    gatewayUsername: jump
    gatewayPrivateKey: canary-private-key
- type: GroupRoleAssignment
  id: 204/account-editor
- { type: PackageSet, id: 401/python_package, inputs: { packages: [{ name: numpy }] } }
`,
  );
  emulator.clearRequests();
  const exported = await expectOk(dataplatform(["export", "--known", known, "--skip", "users", project], { env }));
  expect(exported.stderr).toMatch(/^warning: .*import\.json has secrets of --known in plain text; delete it/);
  expect(statSync(join(project, "import.json")).mode & 0o077).toBe(0);
  expect(readFileSync(join(project, ".gitignore"), "utf8")).toContain("import.json\n");
  const code = readdirSync(project).filter((name) => name !== "import.json");
  for (const name of code) expect(readFileSync(join(project, name), "utf8"), name).not.toContain("canary");
  const keys = [...exported.stdout.matchAll(/config set --secret (\S+) < FILE/g)].map(([, key]) => key!);
  expect(keys.sort()).toEqual([
    "account-storage-access-key",
    "account-storage-secret-key",
    "sales-gateway-private-key",
    "sales-password",
  ]);

  linkPackages(project);
  await place.init("dev");
  const value = (key: string) => `canary-${key.replace(/^(account-storage|sales-gateway|sales)-/, "")}`;
  for (const key of keys) await place.pulumi(["config", "set", "--secret", key, value(key)]);
  const imported = await place.pulumi(importing());
  expect(imported.stdout + imported.stderr).not.toMatch(/failed to validate|canary/);
  const preview = await place.preview();
  expect(preview.stdout).not.toMatch(/are assumed to be correct|canary/);
  const state = await place.pulumi(["stack", "export"]);
  expect(state.stdout).not.toContain("canary");
  expect((await place.pulumi(["stack", "export", "--show-secrets"])).stdout).toContain("canary-private-key");
  await place.pulumi(["up", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(place.writes()).toEqual([]);

  // Nothing of it is missing then, whether the API lists it or not.
  const again = ["export", "--missing", "--cwd", project, "--known", known, "--skip", "users", join(project, "more")];
  const second = await dataplatform(again, { env });
  expect([second.code, second.stderr]).toEqual([0, ""]);
  expect(second.stdout).toMatch(/^Nothing is missing/);
});
