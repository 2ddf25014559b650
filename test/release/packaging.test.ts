import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { addressesOf, sharedEmulator } from "../harness/emulators";
import type { TestStack } from "../harness/stack";
import { expectOk, ownStack } from "../harness/stacks";

const programs = {
  CommonJS:
    'const dp = require("pulumi-dataplatform");\nexports.id = new dp.WhitelistedIp("it", { ipCidr: "203.0.113.7" }).id;\n',
  ESM: 'import * as dp from "pulumi-dataplatform";\nimport { WhitelistedIp } from "pulumi-dataplatform";\nif (dp.WhitelistedIp !== WhitelistedIp) throw new Error("two copies");\nexport const id = new WhitelistedIp("it", { ipCidr: "203.0.113.7" }).id;\n',
} as const;

const emulator = sharedEmulator();

/**
 * The plugin through the folder set in Pulumi.yaml, and the policy pack in both ways that users have it: the package's
 * command, and the folder, which Pulumi's own runner loads.
 */
async function inPluginWithPacks(stack: TestStack): Promise<void> {
  const folder = join(stack.folder, "node_modules/pulumi-dataplatform/dist/policies/policy-pack");
  expect(existsSync(join(folder, "PulumiPolicy.yaml"))).toBe(true);
  expect(existsSync(join(stack.folder, "node_modules/.bin/pulumi-resource-dataplatform"))).toBe(true);
  const runner = join(stack.folder, "run-folder");
  // The Node host of these tests cannot run a folder itself; what it would run is this.
  writeFileSync(
    runner,
    `#!/bin/sh\ncd "${folder}" && exec node "${stack.folder}/node_modules/@pulumi/pulumi/cmd/run-policy-pack" "$1" .\n`,
  );
  chmodSync(runner, 0o755);
  writeFileSync(join(stack.folder, "policies.json"), JSON.stringify({ "whole-internet": { minIpv4Prefix: 32 } }));
  const index = join(stack.folder, "index.js");
  const program = readFileSync(index, "utf8");
  writeFileSync(index, program.replace("203.0.113.7", "203.0.113.0/24"));
  stack.configure({ mode: "plugin" });
  const packs = ["node_modules/.bin/dataplatform-policies", "./run-folder"];
  const flags = packs.flatMap((pack) => ["--policy-pack", pack, "--policy-pack-config", "policies.json"]);
  const { text, violations } = await expectOk(stack.operate("preview", ...flags));
  expect(text).toContain("dataplatform:index:WhitelistedIp");
  expect(violations.map(({ rule, name }) => [rule, name])).toEqual(packs.map(() => ["whole-internet", "it"]));
  stack.configure({});
  writeFileSync(index, program);
}

async function upAndDown(stack: TestStack): Promise<void> {
  await expectOk(stack.up());
  expect(addressesOf(emulator)).toEqual(["203.0.113.7"]);
  expect((await stack.exportState()).resources[0]!.inputs["__provider"]).toBe(
    'exports.handler=()=>require("pulumi-dataplatform/dynamic").WhitelistedIp',
  );
  await expectOk(stack.destroy());
  expect(addressesOf(emulator)).toEqual([]);
}

// Linked, in CommonJS, is how all other tests of the engine use it, and linked, in ESM, test/release/compat.
test.each([
  ["npm", "CommonJS", () => inject("npmProject")],
  ["pnpm", "ESM", () => inject("pnpmProject")],
] as const)("the package works, installed from its tarball by %s, in %s", async (manager, kind, from) => {
  const stack = await ownStack(emulator);
  const description = { name: "project", main: "index.js", type: kind === "ESM" ? "module" : "commonjs" };
  writeFileSync(join(stack.folder, "package.json"), JSON.stringify(description));
  writeFileSync(join(stack.folder, "index.js"), programs[kind]);
  // Instead of links to this checkout.
  rmSync(join(stack.folder, "node_modules"), { recursive: true });
  symlinkSync(join(from(), "node_modules"), join(stack.folder, "node_modules"), "dir");
  await inPluginWithPacks(stack);
  // With npm, the first steps of the README do it.
  if (manager === "pnpm") await upAndDown(stack);
});
