import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import { sharedEmulator } from "../../harness/emulators";
import { expectOk, sharedStack, story } from "../../harness/stacks";

const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0 });
const stack = sharedStack(emulator);
beforeAll(async () => {
  writeFileSync(
    join(stack.folder, "index.js"),
    'require("pulumi-dataplatform").teamEnvironments("environments/*.yaml");\n',
  );
  mkdirSync(join(stack.folder, "environments"));
  write("blue.yaml", blue + orders);
  await expectOk(stack.up());
  emulator.clearRequests();
});

const blue = `account: { name: blue }
whitelist: { addresses: [203.0.113.7] }
groups:
  analysts: { id: 205, roles: [analyst] }
objectPolicies:
  churn: { sourceId: 501, teamMay: [read] }
jobs:
  load: { tableRefresh: { dbName: default, hiveTable: daily_ticks } }
`;
const orders = "dataStores:\n  orders: { dbHost: h, dbName: n }\n";
const sales = "dataStores:\n  sales: { name: orders, dbHost: h, dbName: n }\n";

const write = (file: string, text: string) => writeFileSync(join(stack.folder, "environments", file), text);

const idsOf = async () =>
  (await stack.exportState()).resources.flatMap(({ type, id }) => (id ? [`${type} ${id}`] : [])).sort();

const writes = () => emulator.requests().requests.filter(({ method }) => method !== "GET");

const chapter = story();
chapter("a renamed file keeps its resources, and a renamed part too", async () => {
  const before = await idsOf();
  const environments = join(stack.folder, "environments");
  renameSync(join(environments, "blue.yaml"), join(environments, "navy.yaml"));
  expect((await expectOk(stack.preview())).changed).toMatchObject({ "navy-account": "create" });

  write("navy.yaml", `renamedFrom: blue\n${blue}${orders}`);
  write("Green.yml", "{}");
  const renamed = await expectOk(stack.up());
  expect(renamed.changed).toEqual({});
  expect(renamed.text).toContain("environments/Green.yml is not read");
  expect(await idsOf()).toEqual(before);
  expect((await stack.exportState()).resources.map(({ urn }) => urn).join()).not.toContain("::blue");

  write("navy.yaml", `${blue}${sales}movedFrom: { dataStores.sales: navy-orders }\n`);
  expect((await expectOk(stack.up())).changed).toEqual({});
  write("navy.yaml", blue + sales);
  expect((await expectOk(stack.preview())).changed).toEqual({});
  expect(await idsOf()).toEqual(before);
  expect(writes()).toEqual([]);
});

chapter("a part moves from one environment to another", async () => {
  const before = await idsOf();
  write("navy.yaml", blue);
  write("green.yaml", `${orders}movedFrom: { dataStores.orders: navy-sales }\n`);
  expect((await expectOk(stack.up())).changed).toEqual({ green: "create" });
  expect(await idsOf()).toEqual(before);
  expect(writes()).toEqual([]);
});

chapter("an account goes after what is in it, never before", async () => {
  const before = await idsOf();
  const withoutAccount = blue.replace(/^account.*\n/, "");
  write("navy.yaml", withoutAccount);
  for (const refused of [await stack.preview(), await stack.up()]) {
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(
      /IpWhitelist belongs to account \d+, but the configured token belongs to account 1001/,
    );
  }
  expect(await idsOf()).toEqual(before);

  write("navy.yaml", blue.replace(/^whitelist.*\n/m, ""));
  expect((await expectOk(stack.up())).changed).toMatchObject({ "navy-whitelist": "delete" });
  write("navy.yaml", withoutAccount);
  expect((await expectOk(stack.up())).changed).toMatchObject({ "navy-account": "delete", "navy-whitelist": "create" });
});
