import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { accountOf, addressesOf, ownEmulator, sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { nameOf } from "../../harness/engine-events";
import type { StateResource, TestStack } from "../../harness/stack";
import { expectOk, ownStack, sharedStack, story } from "../../harness/stacks";

/**
 * YAML, and components through the plugin's Construct call, as YAML and other languages use them. Their lives are in
 * test/release/languages.
 */

const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0 });
const yaml = { program: "examples/yaml" };

describe("the example", () => {
  const stack = sharedStack(emulator, yaml);
  const chapter = story();
  chapter("without its secret it does not run, and names it", async () => {
    const up = await stack.up();
    expect(up.code).not.toBe(0);
    expect(up.text).toContain("missing configuration value 'warehousePassword'");
    const readme = readFileSync(join(root, "examples/yaml/README.md"), "utf8");
    const [, key] = /^ *pulumi config set --secret (\w+)$/m.exec(readme)!;
    await expectOk(stack.pulumi("config", "set", "--secret", key!, "only-in-this-test"));
  });

  chapter("a YAML program declares resources and calls functions", async () => {
    await expectOk(stack.up());
    expect(await stack.outputs()).toMatchObject({ accountName: "Analytics", dailyTables: expect.any(Array) });
    expect((await expectOk(stack.preview())).changed).toEqual({});
  });

  chapter("everything is destroyed", async () => {
    await expectOk(stack.destroy());
    expect(accountOf(emulator).whitelist).toEqual([]);
  });
});

/** The resources of a YAML program; values in JSON are YAML too. */
function writeYaml(stack: TestStack, resources: Record<string, object>, outputs: Record<string, string> = {}): void {
  const lines = Object.entries(resources).map(([name, resource]) => `  ${name}: ${JSON.stringify(resource)}`);
  const text = `name: yaml
runtime: yaml
plugins:
  providers:
    - name: dataplatform
      path: ./node_modules/pulumi-dataplatform/dist/plugin
resources:
${lines.join("\n")}
outputs: ${JSON.stringify(outputs)}
`;
  writeFileSync(join(stack.folder, "Pulumi.yaml"), text);
}

const boards = { type: "dataplatform:index:WhitelistedIp", properties: { ipCidr: "203.0.113.9" } };
const environment = (properties: object, options: object = {}) => ({
  type: "dataplatform:index:TeamEnvironment",
  properties,
  options,
});
const orders = { dbHost: "orders.example.com", dbName: "orders", dbPasswd: "hidden-password" };
const names = () => accountOf(emulator).dataStores.map(({ name }) => name);

test("in YAML, what is wrong with its properties is reported, and what is wrong with a child", async () => {
  const stack = await ownStack(emulator, yaml);
  writeYaml(stack, {
    blue: environment({ objectPolicies: { churn: { sourceId: "501", policy: [], teamMay: ["read"] } } }),
  });
  const both = await stack.preview();
  expect(both.code).not.toBe(0);
  expect(both.text).toContain("objectPolicies.churn.teamMay and policy are both set; use one of them");
  writeYaml(stack, { blue: environment({ groups: { analysts: { id: 299, roles: ["analyst"] } } }) });
  const child = await stack.up();
  expect(child.code).not.toBe(0);
  expect(child.text).toContain("not found (404): there is no group 299");
  expect(child.text).toContain(
    "'blue' has a problem: not complete, because the run ended early; the other errors say why",
  );
  expect(child.text).not.toContain("exited prematurely");
});

type Kept = StateResource & Record<string, unknown>;

/** What the state keeps of the options. */
async function optionsIn(stack: TestStack): Promise<Record<string, object>> {
  const { resources } = await stack.exportState();
  const ofEnvironment = (resources as readonly Kept[]).filter(({ urn }) => urn.includes("TeamEnvironment"));
  const kept = ["protect", "retainOnDelete", "customTimeouts", "ignoreChanges", "replaceOnChanges"];
  return Object.fromEntries(
    ofEnvironment.map((one) => [
      nameOf(one.urn),
      {
        ...Object.fromEntries(kept.map((option) => [option, one[option]])),
        deletedWith: one["deletedWith"] && nameOf(String(one["deletedWith"])),
        dependencies: (one.dependencies ?? []).map(nameOf),
      },
    ]),
  );
}

/** They mean the same in YAML, which goes through Construct, as in a TypeScript program. */
describe("its options in the state", () => {
  const options = {
    protect: true,
    retainOnDelete: true,
    ignoreChanges: ["dataStores"],
    replaceOnChanges: ["groups"],
    customTimeouts: { create: "7m", delete: "90s" },
  };
  const properties = { dataStores: { orders } };

  const stack = sharedStack(emulator, yaml);
  const chapter = story();
  chapter("they are those of a TypeScript program, of the component and of its children", async () => {
    const ofYaml = { ...options, deletedWith: `\${boards}`, dependsOn: [`\${boards}`] };
    writeYaml(stack, { boards, blue: environment(properties, ofYaml) });
    await expectOk(stack.up());
    const seen = await optionsIn(stack);
    const typescript = await ownStack(await ownEmulator(), { mode: "plugin" });
    writeFileSync(
      join(typescript.folder, "index.js"),
      `const dp = require("pulumi-dataplatform");
const boards = new dp.WhitelistedIp("boards", { ipCidr: "203.0.113.9" });
const options = { ...${JSON.stringify(options)}, deletedWith: boards, dependsOn: [boards] };
new dp.TeamEnvironment("blue", ${JSON.stringify(properties)}, options);
`,
    );
    await expectOk(typescript.up());
    expect(seen).toEqual(await optionsIn(typescript));
    const own = {
      customTimeouts: { create: 420, delete: 90 },
      ignoreChanges: ["dataStores"],
      replaceOnChanges: ["groups"],
    };
    const inherited = { protect: true, retainOnDelete: true, deletedWith: "boards" };
    expect(seen).toMatchObject({ blue: { ...own, ...inherited, dependencies: ["boards"] }, "blue-orders": inherited });
  });

  chapter("protect: destroy refuses, and false overrides it", async () => {
    const refused = await stack.destroy();
    expect(refused.code).not.toBe(0);
    expect(refused.text).toMatch(/blue.* cannot be deleted\s+because it is protected/s);
    expect(names()).toContain("orders");
    writeYaml(stack, { boards, blue: environment(properties, { ...options, protect: false }) });
    await expectOk(stack.up());
    expect(await optionsIn(stack)).toMatchObject({
      blue: { protect: undefined },
      "blue-orders": { protect: undefined },
    });
  });

  chapter("retainOnDelete: destroy leaves everything on the platform", async () => {
    emulator.clearRequests();
    await expectOk(stack.destroy());
    expect((await stack.exportState()).resources).toEqual([]);
    expect(names()).toContain("orders");
    expect(addressesOf(emulator)).toEqual([]);
  });
});

test("the children are in the account of an explicit provider, given as provider or as providers", async () => {
  const stack = await ownStack(emulator, yaml);
  const apiToken = emulator.tokens["otherAdmin"]!;
  const theirs = { type: "pulumi:providers:dataplatform", properties: { baseUrl: emulator.url, apiToken } };
  const listing = (address: string) => ({ whitelist: { addresses: [address] } });
  const red = environment(listing("203.0.113.20"), { provider: `\${theirs}` });
  writeYaml(stack, { theirs, red, blue: environment(listing("203.0.113.22"), { providers: [`\${theirs}`] }) });
  await expectOk(stack.up());
  const both = ["203.0.113.20", "203.0.113.22"];
  expect(addressesOf(emulator)).toEqual([]);
  expect(addressesOf(emulator, 1002)).toEqual(expect.arrayContaining(both));
  await expectOk(stack.destroy());
  expect(addressesOf(emulator, 1002).filter((address) => both.includes(address))).toEqual([]);
});

test("additionalSecretOutputs: the state and the program get a secret; a part depends on what its values come from", async () => {
  const stack = await ownStack(emulator, yaml);
  const options = { additionalSecretOutputs: ["addresses"] };
  const properties = {
    whitelist: { addresses: ["203.0.113.21"] },
    groups: { analysts: { id: 205 } },
    dataStores: { orders: { ...orders, dbHost: `\${boards.ipCidr}` } },
  };
  const outputs = {
    addresses: `\${grey.addresses}`,
    groups: `\${grey.groupIds}`,
    store: `\${grey.dataStoreIds["orders"]}`,
  };
  writeYaml(stack, { boards, grey: environment(properties, options) }, outputs);
  await expectOk(stack.up());
  const { stdout } = await stack.pulumi("stack", "output", "--json", "--stack", "test");
  const store = String(accountOf(emulator).dataStores.at(-1)!.id);
  expect(JSON.parse(stdout)).toEqual({ addresses: "[secret]", groups: { analysts: "205" }, store });
  const { resources } = await stack.exportState();
  const child = resources.find(({ type }) => type.endsWith(":DataStore"))!;
  expect(child.dependencies).toContainEqual(expect.stringContaining("WhitelistedIp::boards"));
  const grey = resources.find(({ type }) => type.endsWith(":TeamEnvironment"))!;
  expect(grey.outputs["addresses"]).toHaveProperty("ciphertext");
});
