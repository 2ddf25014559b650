import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Emulator } from "../../emulator";
import { accountOf, freshEmulator, ownEmulator, writesTo } from "../harness/emulators";
import type { TestStack } from "../harness/stack";
import { expectOk, ownStack } from "../harness/stacks";

const secrets = ["storageAccessKey", "storageSecretKey", "computeAccessKey", "computeSecretKey", "dbPasswd"].concat(
  "gatewayPrivateKey",
);

async function open(emulator: Emulator): Promise<TestStack> {
  const stack = await ownStack(emulator, {
    program: "examples/environment-files",
    name: "dev",
    env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  });
  const values = secrets.flatMap((key) => ["--secret", `${key}=hidden-${key}`]);
  await expectOk(stack.pulumi("config", "set-all", ...values));
  return stack;
}

// The program of examples/environment is that of the demo: test/release/demo.test.ts.
describe("examples/environment-files", () => {
  const stores = ["orders", "clicks", "ledger", "returns"];
  const roles = { 205: [301, 303], 206: [301, 302, 303] };
  const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0 });
  const parent = () => accountOf(emulator);
  const team = () => emulator.state({ secrets: true }).accounts[2]!;
  const notebook = () => parent().objects.find(({ id }) => id === 501)!.policy;
  const folder = () => parent().folders.find(({ id }) => id === 701)!.policy;
  const installed = () => parent().environments.find(({ id }) => id === 403)!.python_package;
  const rolesOf = (group: string) => parent().groups.find(({ id }) => id === Number(group))!.roles;

  test("is created from scratch, is complete, and is destroyed", async () => {
    const stack = await open(emulator);
    const before = parent();
    // The token of the new account is not known yet: nothing is sent with it, or without it.
    await expectOk(stack.preview());
    expect(writesTo(emulator)).toEqual([]);
    const up = await expectOk(stack.up());
    expect(team()).toMatchObject({ cache_quota_size_in_gb: 500, compute_secret_key: "hidden-computeSecretKey" });
    expect(team().whitelist).toHaveLength(6);
    expect(parent().whitelist).toEqual(before.whitelist);
    const names = parent().dataStores.map((store) => store.name);
    expect(names.sort()).toEqual(stores.toSorted());
    for (const [group, given] of Object.entries(roles)) expect(rolesOf(group).sort()).toEqual(given);
    expect(notebook()).toHaveLength(2);
    expect(folder()).toHaveLength(2);
    expect(Object.keys(installed())).toHaveLength(3);
    const { text, resources } = await stack.exportState();
    const job = resources.find(({ type }) => type.endsWith(":Command"))!;
    expect(parent().commands.at(-1)).toMatchObject({ id: Number(job.id), command_type: "HiveCommand" });
    expect(job.outputs).toMatchObject({ status: "done" });
    expect(text).not.toContain("hidden-");
    for (const { users } of emulator.state({ secrets: true }).accounts)
      for (const { token } of users) expect(text).not.toContain(token);
    expect(resources.find(({ type }) => type.endsWith(":TeamEnvironment"))!.inputs ?? {}).toEqual({});
    expect(up.text).not.toContain("warning:");

    const preview = await stack.preview();
    expect(preview.changed, preview.text).toEqual({});

    const destroyed = await expectOk(stack.destroy());
    expect(destroyed.text).toContain(`account ${team().id} (${team().name}) stays on the platform`);
    for (const store of stores) expect(destroyed.text).toMatch(new RegExp(`data store \\d+ \\(${store}\\) stays`));
    // The way back in stays: the account does too.
    expect(team().whitelist.map(({ ip_cidr }) => ip_cidr)).toEqual(["198.51.100.10"]);
    expect(notebook()).toEqual(before.objects.find(({ id }) => id === 501)!.policy);
    expect(folder()).toEqual([]);
    expect(installed()).toEqual({});
    for (const group of before.groups) expect(rolesOf(String(group.id))).toEqual(group.roles);
    expect((await stack.exportState()).resources).toEqual([]);
  });
});

const green = `
account: { name: green, defloc: s3://green/logs }
inNewAccount: [whitelist, dataStores]
whitelist: { addresses: [203.0.113.7] }
dataStores:
  orders: { dbHost: orders.dev.example.com, dbName: orders, dbUser: reader, dbPasswd: { $secret: dbPasswd } }
roles:
  green:
    policies:
      - { resource: note, action: [read, update], access: allow }
      - { resource: command, action: [create, read], access: allow }
groups:
  green:
    members: [analyst@analytics.example.com, owner@analytics.example.com]
    roles: [green]
objectPolicies:
  churn: { sourceId: 501, teamMay: [read, update] }
folderPolicies:
  reports: { type: notes, location: Common/reports, teamMay: [read, write], onDestroy: restore }
packages:
  libraries: { envId: 403, packages: [pyarrow] }
jobs:
  second: { tableRefresh: { dbName: default, hiveTable: daily_ticks }, name: second, wait: true, after: [first] }
  first: { tableRefresh: { dbName: default, hiveTable: daily_ticks }, name: first, wait: true }
`;

test("with the extended API: a team with its own group and role, of which only the account stays", async () => {
  const emulator = await ownEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
  const stack = await open(emulator);
  writeFileSync(join(stack.folder, "environments/blue.yaml"), "{}\n");
  writeFileSync(join(stack.folder, "environments/green.yaml"), green);
  stack.env["DATAPLATFORM_EXTENDED_API"] = "true";
  const platform = () => accountOf(emulator);
  const what = () => {
    const { dataStores, groups, roles, users, folders, objects, environments } = platform();
    const packages = environments.map(({ id, python_package }) => ({ id, python_package }));
    return { dataStores, groups, roles, users, folders, objects, packages };
  };
  const before = what();
  const up = await expectOk(stack.up());
  expect(up.text).not.toContain("warning:");
  const group = platform().groups.find(({ name }) => name === "green")!;
  const role = platform().roles.find(({ name }) => name === "green")!;
  expect(group.roles).toEqual([role.id]);
  const members = platform().users.filter(({ groups }) => groups.includes(group.id));
  expect(members.map(({ email }) => email).sort()).toEqual([
    "analyst@analytics.example.com",
    "owner@analytics.example.com",
  ]);
  expect(
    platform()
      .commands.slice(-2)
      .map(({ name }) => name),
  ).toEqual(["first", "second"]);
  expect(platform().dataStores).toEqual(before.dataStores);
  expect(emulator.state().accounts[2]!.dataStores).toHaveLength(1);
  const preview = await expectOk(stack.operate("preview", "--refresh"));
  expect(new Set(Object.values(preview.found)), preview.text).toEqual(new Set(["same"]));
  expect(Object.keys(preview.steps).sort(), preview.text).toEqual(["refresh", "same"]);
  const destroyed = await expectOk(stack.destroy());
  const stays = destroyed.diagnostics.filter(({ message }) => message.includes(" stays "));
  expect(stays.map(({ message }) => message).sort()).toEqual([
    expect.stringMatching(/account \d+ \(green\) stays on the platform/),
    expect.stringMatching(/command \d+ \(done\) stays in the platform's history/),
    expect.stringMatching(/command \d+ \(done\) stays in the platform's history/),
  ]);
  expect(what()).toEqual(before);
});
