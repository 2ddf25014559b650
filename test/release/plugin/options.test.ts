import { symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { request } from "../../harness/http";
import { expectOk, ownStack } from "../../harness/stacks";

const emulator = sharedEmulator();
beforeAll(async () => {
  for (const ip_cidr of ["198.51.100.7", "198.51.100.8"])
    await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr });
});

test("the import option adopts what exists, and a program that differs does not replace it", async () => {
  const stack = await ownStack(emulator, { mode: "plugin" });
  const declare = (ipCidr: string) => ({
    it: { type: "WhitelistedIp", args: { ipCidr }, opts: { import: "198.51.100.7" } },
  });
  const wrong = await stack.up(declare("198.51.100.99"));
  expect(wrong.code).not.toBe(0);
  expect(wrong.text).toContain("may not be replaced");
  await expectOk(stack.up(declare("198.51.100.7")));
  const [it] = (await stack.exportState()).resources;
  expect(it).toMatchObject({ inputs: { ipCidr: "198.51.100.7" }, outputs: { accountId: 1001 } });
});

test("what the API cannot return is taken from the program, with a warning", async () => {
  const stack = await ownStack(emulator, { mode: "plugin" });
  const args = { envId: 401, sourceType: "python_package", packages: ["pyarrow"] };
  emulator.clearRequests();
  const program = { it: { type: "PackageSet", args, opts: { import: "401/python_package" } } };
  const imported = await expectOk(stack.up(program));
  expect(imported.steps, "the update sends nothing").toMatchObject({ import: 1, update: 1 });
  expect(imported.text).toContain("The API cannot list packages");
  expect(imported.text).toContain(
    "the API does not show packages: the values in the program are assumed to be correct",
  );
  expect(Object.keys(emulator.requests().counts), "only the token's account").toEqual(["account.view"]);
  const [it] = (await stack.exportState()).resources;
  expect(it!.outputs).toEqual({ ...args, accountId: 1001 });
  // The very next change is one: what the program gave before is recorded.
  const changed = await expectOk(
    stack.up({ it: { type: "PackageSet", args: { ...args, packages: ["pyarrow", "xgboost"] } } }),
  );
  expect(changed.changed).toEqual({ it: "update" });
  expect(changed.text).not.toContain("assumed to be correct");
  expect(emulator.requests().counts["package.add"]).toBe(1);
});

test("in dynamic mode, import fails and says how to do it", async () => {
  const stack = await ownStack(emulator);
  const refused = await stack.preview({
    it: { type: "WhitelistedIp", args: { ipCidr: "198.51.100.8" }, opts: { import: "198.51.100.8" } },
  });
  expect(refused.code).not.toBe(0);
  expect(refused.text).toContain("Pulumi cannot import into dynamic resources");
  expect(refused.text).toContain("set dataplatform:mode to plugin");
});

test.each(["dynamic", "plugin"] as const)("get reads what exists without managing it, in %s mode", async (mode) => {
  const stack = await ownStack(emulator, { mode });
  const program = { it: { type: "WhitelistedIp", args: {}, opts: { id: "198.51.100.8" } } };
  await expectOk(stack.up(program, { address: { $ref: "it.ipCidr" }, account: { $ref: "it.accountId" } }));
  expect(await stack.outputs()).toEqual({ address: "198.51.100.8", account: 1001 });
  await expectOk(stack.destroy());
  expect(addressesOf(emulator)).toContain("198.51.100.8");
});

test("children inherit their parent's provider, and an unknown mode is an error", async () => {
  const stack = await ownStack(emulator);
  writeFileSync(
    join(stack.folder, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
const dp = require("pulumi-dataplatform");
const provider = new dp.Provider("other", { apiToken: ${JSON.stringify(emulator.tokens["otherAdmin"])} });
const parent = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [provider] });
exports.account = new dp.WhitelistedIp("it", { ipCidr: "203.0.113.90" }, { parent }).accountId;
exports.name = dp.getAccountOutput({}, { parent }).name;
`,
  );
  await expectOk(stack.up());
  expect(await stack.outputs()).toEqual({ account: 1002, name: "Research" });
  await expectOk(stack.destroy());
  writeFileSync(
    join(stack.folder, "index.js"),
    'const dp = require("pulumi-dataplatform");\nnew dp.WhitelistedIp("it", { ipCidr: "203.0.113.90" });\n',
  );
  stack.configure({ mode: "plug-in" });
  expect((await stack.preview()).text).toContain('dataplatform:mode is "plug-in"; expected "dynamic"');
});

test("a misspelt key of the configuration is told once in each mode, with the right one, and breaks nothing", async () => {
  const stack = await ownStack(emulator);
  const it = { type: "WhitelistedIp", args: { ipCidr: "203.0.113.91" } };
  stack.write({ it, other: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.92" } } });
  for (const mode of ["dynamic", "plugin"]) {
    stack.configure({ mode, retires: "2", "other:retires": "2" });
    const { text } = await expectOk(stack.preview());
    expect(text.match(/(?<=^ {4}warning: ).*/gm)).toEqual([
      expect.stringMatching(/^dataplatform:retires is .*, which ignores it; did you mean dataplatform:retries\?/),
    ]);
  }
});

test("the engine finds the plugin on PATH, as npm links it", async () => {
  const stack = await ownStack(emulator, { mode: "plugin" });
  stack.forgetPlugin();
  const link = join(stack.folder, "node_modules/pulumi-resource-dataplatform");
  symlinkSync(join(root, "dist/provider/plugin/main.js"), link);
  stack.env["PATH"] = `${join(stack.folder, "node_modules")}${delimiter}${stack.env["PATH"]}`;
  const outcome = await expectOk(stack.preview({ it: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.91" } } }));
  expect(outcome.changed).toEqual({ it: "create" });
  expect(outcome.text).toContain("dataplatform:index:WhitelistedIp");
});

test("pulumi do lists what exists, all of it or up to a count", async () => {
  const stack = await ownStack(emulator, { mode: "plugin" });
  const list = async (...flags: string[]) => {
    const plugin = join(root, "dist/plugin/pulumi-resource-dataplatform");
    const ran = await expectOk(
      stack.pulumi("do", "--package", plugin, "dataplatform:index:WhitelistedIp", "list", ...flags),
    );
    return (JSON.parse(ran.stdout) as { id: string; name: string }[]).map(({ name }) => name);
  };
  expect(await list("--count", "1")).toEqual(["198.51.100.7"]);
  expect(await list("--all")).toEqual(["198.51.100.7", "198.51.100.8"]);
});
