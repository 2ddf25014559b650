import { symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { addressesOf, sharedEmulator } from "../../harness/emulators";
import { root } from "../../harness/engine";
import { engineMessages } from "../../harness/engine-messages";
import { request } from "../../harness/http";
import type { TestStack } from "../../harness/stack";
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

test("get reads what exists without managing it, in both modes", async () => {
  const stack = await ownStack(emulator);
  const provider = { type: "Provider", args: { apiToken: { $secret: emulator.tokens["admin"] } } };
  const got = (id: string, opts: object = {}) => ({ type: "WhitelistedIp", args: {}, opts: { id, ...opts } });
  const program = { provider, it: got("198.51.100.8"), wired: got("198.51.100.7", { provider: "provider" }) };
  const outputs = { it: { $ref: "it.ipCidr" }, wired: { $ref: "wired.ipCidr" }, account: { $ref: "wired.accountId" } };
  await expectOk(stack.up(program, outputs));
  expect(await stack.outputs()).toEqual({ it: "198.51.100.8", wired: "198.51.100.7", account: 1001 });
  await expectOk(stack.destroy());
  expect(addressesOf(emulator)).toEqual(expect.arrayContaining(["198.51.100.7", "198.51.100.8"]));
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

/* What docs/troubleshooting.md says about an import that goes wrong; that it works is in the lives of the resources. */

const address = "203.0.113.7";
const args = ["dataplatform:index:WhitelistedIp", "office", address, "--yes", "--skip-preview", "--stack", "test"];
const withoutCode = [...args, "--generate-code=false"];
const [notFound, notDownloaded, notThere, noCode] = engineMessages as [string, string, string, string];

async function importing(stack: TestStack, ...flags: readonly string[]) {
  const ran = await stack.pulumi("import", ...flags);
  return { ...ran, text: ran.stdout + ran.stderr };
}

test("an id that the platform does not have; with it, and without --generate-code=false, the code is printed where the host can", async () => {
  const stack = await ownStack(emulator, { mode: "plugin" });
  const missing = await importing(stack, ...withoutCode);
  expect([missing.code === 0, missing.text]).toEqual([false, expect.stringContaining(notThere)]);
  await request(emulator, "POST", "/api/v1.2/whitelist_ip", { ip_cidr: address });
  const { code, text } = await importing(stack, ...args);
  expect((await stack.exportState()).resources).toHaveLength(1);
  expect(text).toContain(code === 0 ? "new dataplatform.WhitelistedIp" : noCode);
});

test("an engine that does not find the plugin, and may not download one, or tries to", async () => {
  const stack = await ownStack(emulator);
  stack.forgetPlugin();
  expect((await importing(stack, ...withoutCode)).text).toContain(notFound);
  stack.env["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] = "false";
  expect((await importing(stack, ...withoutCode)).text).toContain(notDownloaded);
  stack.env["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"] = "true";
  stack.configure({ mode: "plugin" });
  const program = { office: { type: "WhitelistedIp", args: { ipCidr: address } } };
  expect((await stack.preview(program)).text).toContain(notFound);
});
