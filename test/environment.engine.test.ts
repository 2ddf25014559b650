import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../emulator";
import { TestStack } from "./harness/stack";

const secrets = ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey", "dbPasswd"].concat(
  "gatewayPrivateKey",
);

const sizes = [
  { name: "dev", addresses: 2, stores: ["orders"], roles: { 205: [301] }, packages: 2, cache: 25 },
  {
    name: "prod",
    addresses: 6,
    stores: ["orders", "clicks", "ledger"],
    roles: { 205: [301, 303], 206: [302, 303] },
    packages: 3,
    cache: 500,
  },
];

async function open(emulator: Emulator, name: string): Promise<TestStack> {
  const stack = await TestStack.create({
    baseUrl: emulator.url,
    token: emulator.tokens["admin"]!,
    program: "examples/environment",
    name,
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  });
  const values = secrets.flatMap((key) => ["--secret", `${key}=hidden-${key}`]);
  const configured = await stack.pulumi("config", "set-all", ...values);
  expect(configured.code, configured.stderr).toBe(0);
  return stack;
}

describe.each(sizes)("examples/environment as $name", ({ name, addresses, stores, roles, packages, cache }) => {
  let emulator: Emulator;
  let stack: TestStack;

  beforeEach(async () => {
    emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0 });
    stack = await open(emulator, name);
  });
  afterEach(async () => {
    stack?.remove();
    await emulator?.close();
  });

  const parent = () => emulator.state({ secrets: true }).accounts[0]!;
  const team = () => emulator.state({ secrets: true }).accounts[2]!;
  const notebook = () => parent().objects.find(({ id }) => id === 501)!.policy;
  const folder = () => parent().folders.find(({ id }) => id === 701)!.policy;
  const installed = () => parent().environments.find(({ id }) => id === 403)!.python_package;
  const rolesOf = (group: string) => parent().groups.find(({ id }) => id === Number(group))!.roles;

  test("is created from scratch, is complete, and is destroyed", async () => {
    const before = parent();
    const up = await stack.up();
    expect(up.code, up.text).toBe(0);
    expect(team()).toMatchObject({ cache_quota_size_in_gb: cache, compute_secret_key: "hidden-computeSecretKey" });
    expect(team().whitelist).toHaveLength(addresses);
    expect(parent().whitelist).toEqual(before.whitelist);
    expect(
      parent()
        .dataStores.map((store) => store.name)
        .sort(),
    ).toEqual([...stores].sort());
    for (const [group, given] of Object.entries(roles)) expect(rolesOf(group).sort()).toEqual(given);
    expect(notebook()).toHaveLength(2);
    expect(folder()).toHaveLength(2);
    expect(Object.keys(installed())).toHaveLength(packages);
    expect(parent().commands.at(-1)).toMatchObject({ command_type: "HiveCommand" });
    expect(await stack.outputs()).toMatchObject({ firstLoadStatus: "done" });
    expect((await stack.exportState()).text).not.toContain("hidden-");
    expect(up.text).not.toContain("warning:");

    const preview = await stack.preview();
    expect(preview.changed, preview.text).toEqual({});

    const destroyed = await stack.destroy();
    expect(destroyed.code, destroyed.text).toBe(0);
    expect(destroyed.text).toContain(`account ${team().id} (${team().name}) stays on the platform`);
    for (const store of stores) expect(destroyed.text).toMatch(new RegExp(`data store \\d+ \\(${store}\\) stays`));
    expect(team().whitelist).toEqual([]);
    expect(notebook()).toEqual(before.objects.find(({ id }) => id === 501)!.policy);
    expect(folder()).toEqual([]);
    expect(installed()).toEqual({});
    for (const group of before.groups) expect(rolesOf(String(group.id))).toEqual(group.roles);
    expect((await stack.exportState()).resources).toEqual([]);
  });
});

test("examples/environment with the extended API: a whole team, of which only the account stays", async () => {
  const emulator = await startEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
  const stack = await open(emulator, "extended");
  const platform = () => emulator.state({ secrets: true }).accounts[0]!;
  const what = () => {
    const { dataStores, groups, roles, users, folders, objects, environments } = platform();
    const packages = environments.map(({ id, python_package }) => ({ id, python_package }));
    return { dataStores, groups, roles, users, folders, objects, packages };
  };
  try {
    const before = what();
    const up = await stack.up();
    expect(up.code, up.text).toBe(0);
    expect(up.text).not.toContain("warning:");
    const group = platform().groups.find(({ name }) => name === "green")!;
    const role = platform().roles.find(({ name }) => name === "green")!;
    expect(group.roles).toEqual([role.id]);
    const members = platform().users.filter(({ groups }) => groups.includes(group.id));
    expect(members.map(({ email }) => email).sort()).toEqual([
      "analyst@analytics.example.com",
      "owner@analytics.example.com",
    ]);
    const seen = await stack.refresh();
    expect(Object.keys(seen.summary), seen.text).toEqual(["same"]);
    const preview = await stack.preview();
    expect(preview.changed, preview.text).toEqual({});
    const destroyed = await stack.destroy();
    expect(destroyed.code, destroyed.text).toBe(0);
    const stays = destroyed.diagnostics
      .filter(({ message }) => message.includes(" stays "))
      .map(({ message }) => message);
    expect(stays.sort()).toEqual([
      expect.stringMatching(/account \d+ \(green\) stays on the platform/),
      expect.stringMatching(/command \d+ \(done\) stays in the platform's history/),
    ]);
    expect(what()).toEqual(before);
  } finally {
    stack.remove();
    await emulator.close();
  }
});
