import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect } from "vitest";
import { sharedEmulator } from "../../harness/emulators";
import { expectOk, sharedStack, story } from "../../harness/stacks";

/** Components through the plugin's Construct call, as YAML and other languages use them. */

const emulator = sharedEmulator({ waitSeconds: 0, runSeconds: 0 });
const stack = sharedStack(emulator, { program: "examples/yaml" });
beforeAll(async () => {
  const set = await stack.pulumi("config", "set", "--secret", "password", "hidden-password");
  expect(set.code, set.stderr).toBe(0);
});

function write(resources: string): void {
  writeFileSync(
    join(stack.folder, "Pulumi.yaml"),
    `name: yaml
runtime: yaml
plugins:
  providers:
    - name: dataplatform
      path: ./node_modules/pulumi-dataplatform/dist/plugin
config:
  password: { type: string, secret: true }
resources:
${resources}
`,
  );
}

const blue = `
  boards:
    type: dataplatform:index:WhitelistedIp
    properties: { ipCidr: 203.0.113.9 }
  blue:
    type: dataplatform:index:TeamEnvironment
    properties:
      account: { name: blue, storageAccessKey: "\${password}", storageSecretKey: "\${password}" }
      whitelist: { addresses: [203.0.113.7], wayBackIn: ["\${boards.ipCidr}"] }
      dataStores:
        orders: { dbHost: orders.example.com, dbName: orders, dbPasswd: "\${password}" }
      groups:
        analysts: { id: 205, roles: [analyst] }
      objectPolicies:
        churn: { sourceId: "501", teamMay: [read, update] }
      jobs:
        load: { tableRefresh: { dbName: default, hiveTable: daily_ticks }, wait: true }
outputs:
  accountId: \${blue.accountId}
  store: \${blue.dataStoreIds["orders"]}
  status: \${blue.jobStatuses["load"]}
  addresses: \${blue.addresses}`;

describe("a TeamEnvironment in YAML", () => {
  const chapter = story();
  chapter("is previewed and created as a TypeScript program would create it", async () => {
    write(blue);
    await expectOk(stack.preview());
    await expectOk(stack.up());
    const { accounts } = emulator.state({ secrets: true });
    const [parent, , team] = accounts;
    expect(team).toMatchObject({ name: "blue", storage_secret_key: "hidden-password" });
    expect(team!.whitelist.map(({ ip_cidr }) => ip_cidr).sort()).toEqual(["203.0.113.7", "203.0.113.9"]);
    expect(parent!.dataStores.map(({ name }) => name)).toEqual(["orders"]);
    expect(await stack.outputs()).toEqual({
      accountId: String(team!.id),
      store: String(parent!.dataStores[0]!.id),
      status: "done",
      addresses: ["203.0.113.7", "203.0.113.9"],
    });
  });

  chapter("has its resources as children, and its secrets encrypted", async () => {
    const { text, resources } = await stack.exportState();
    expect(text).not.toContain("hidden-password");
    const children = resources.filter(({ urn }) => urn.includes("TeamEnvironment$"));
    expect(children.map(({ urn }) => urn.split("TeamEnvironment$")[1]).sort()).toEqual([
      "dataplatform:index:Account::blue-account",
      "dataplatform:index:Command::blue-load",
      "dataplatform:index:DataStore::blue-orders",
      "dataplatform:index:GroupRoleAssignment::blue-analysts-analyst",
      "dataplatform:index:IpWhitelist::blue-whitelist",
      "dataplatform:index:ObjectPolicy::blue-churn",
    ]);
    const whitelist = children.find(({ type }) => type.endsWith(":IpWhitelist"))!;
    expect(whitelist.dependencies).toContainEqual(expect.stringContaining("WhitelistedIp::boards"));
  });

  chapter("reports what is wrong with its properties, and what is wrong with a child", async () => {
    write(blue.replace("teamMay: [read, update]", "policy: [], teamMay: [read]"));
    const both = await stack.preview();
    expect(both.code).not.toBe(0);
    expect(both.text).toContain("objectPolicies.churn.teamMay and policy are both set; use one of them");
    write(blue.replace("id: 205", "id: 299"));
    const child = await stack.up();
    expect(child.code).not.toBe(0);
    expect(child.text).toContain("not found (404): there is no group 299");
    expect(child.text).toContain(
      "'blue' has a problem: not complete, because the run ended early; the other errors say why",
    );
    expect(child.text).not.toContain("exited prematurely");
  });

  chapter("is destroyed", async () => {
    await expectOk(stack.destroy());
    expect((await stack.exportState()).resources).toEqual([]);
  });
});
