import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { root } from "../harness/engine";
import { TestStack } from "../harness/stack";

const pnpm = "pnpm@10.34.9";
const programs = {
  CommonJS:
    'const dp = require("pulumi-dataplatform");\nexports.id = new dp.WhitelistedIp("it", { ipCidr: "203.0.113.7" }).id;\n',
  ESM: 'import * as dp from "pulumi-dataplatform";\nimport { WhitelistedIp } from "pulumi-dataplatform";\nif (dp.WhitelistedIp !== WhitelistedIp) throw new Error("two copies");\nexport const id = new WhitelistedIp("it", { ipCidr: "203.0.113.7" }).id;\n',
} as const;

let folder: string;
let tarball: string;
let emulator: Emulator;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dataplatform-pack-"));
  const [packed] = JSON.parse(npm(root, "pack", "--json", "--ignore-scripts", "--pack-destination", folder)) as {
    filename: string;
  }[];
  tarball = join(folder, packed!.filename);
  emulator = await startEmulator();
});
afterAll(async () => {
  await emulator?.close();
  rmSync(folder, { recursive: true, force: true });
});

function npm(cwd: string, ...args: readonly string[]): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A project whose packages a package manager installed, instead of links by the harness. */
async function installedBy(manager: "npm" | "pnpm", kind: keyof typeof programs): Promise<TestStack> {
  const stack = await project(kind);
  rmSync(join(stack.folder, "node_modules"), { recursive: true });
  const dependencies = { "pulumi-dataplatform": `file:${tarball}`, "@pulumi/pulumi": "3.259.0", typescript: "6.0.3" };
  describeProject(stack, kind, dependencies);
  const flags = ["install", "--prefer-offline", "--ignore-scripts"];
  if (manager === "npm") npm(stack.folder, ...flags, "--no-audit", "--no-fund");
  else npm(stack.folder, "exec", "--yes", pnpm, "--", ...flags, "--store-dir", join(folder, "pnpm-store"));
  return stack;
}

async function project(kind: keyof typeof programs): Promise<TestStack> {
  const stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
  describeProject(stack, kind, {});
  writeFileSync(join(stack.folder, "index.js"), programs[kind]);
  return stack;
}

function describeProject(stack: TestStack, kind: keyof typeof programs, dependencies: Record<string, string>): void {
  const description = {
    name: "project",
    main: "index.js",
    private: true,
    type: kind === "ESM" ? "module" : "commonjs",
    dependencies,
  };
  writeFileSync(join(stack.folder, "package.json"), JSON.stringify(description));
}

/** The policy pack as users have it: the package's command, and the folder, which Pulumi's own runner loads. */
async function judgedByPack(stack: TestStack): Promise<TestStack> {
  const folder = join(stack.folder, "node_modules/pulumi-dataplatform/dist/policies/policy-pack");
  const runner = join(stack.folder, "run-folder");
  // The Node host of these tests cannot run a folder itself; what it would run is this.
  writeFileSync(
    runner,
    `#!/bin/sh\ncd "${folder}" && exec node "${stack.folder}/node_modules/@pulumi/pulumi/cmd/run-policy-pack" "$1" .\n`,
  );
  chmodSync(runner, 0o755);
  expect(existsSync(join(folder, "PulumiPolicy.yaml"))).toBe(true);
  writeFileSync(join(stack.folder, "policies.json"), JSON.stringify({ "whole-internet": { minIpv4Prefix: 32 } }));
  writeFileSync(
    join(stack.folder, "index.js"),
    readFileSync(join(stack.folder, "index.js"), "utf8").replace("203.0.113.7", "203.0.113.0/24"),
  );
  for (const pack of ["node_modules/.bin/dataplatform-policies", "./run-folder"]) {
    const preview = await stack.operate("preview", "--policy-pack", pack, "--policy-pack-config", "policies.json");
    expect(preview.code, preview.text).toBe(0);
    expect(
      preview.violations.map(({ rule, name }) => [rule, name]),
      preview.text,
    ).toEqual([["whole-internet", "it"]]);
  }
  writeFileSync(
    join(stack.folder, "index.js"),
    readFileSync(join(stack.folder, "index.js"), "utf8").replace("203.0.113.0/24", "203.0.113.7"),
  );
  return stack;
}

/** The plugin as users have it: through the folder set in Pulumi.yaml, and as a command of the package. */
async function previewInPlugin(stack: TestStack): Promise<TestStack> {
  stack.configure({ mode: "plugin" });
  const preview = await stack.preview();
  expect(preview.code, preview.text).toBe(0);
  expect(preview.text).toContain("dataplatform:index:WhitelistedIp");
  expect(existsSync(join(stack.folder, "node_modules/.bin/pulumi-resource-dataplatform"))).toBe(true);
  stack.configure({});
  return stack;
}

async function upAndDown(stack: TestStack): Promise<void> {
  const addresses = () =>
    emulator
      .state()
      .accounts.find(({ id }) => id === 1001)!
      .whitelist.map(({ ip_cidr }) => ip_cidr);
  try {
    const up = await stack.up();
    expect(up.code, up.text).toBe(0);
    expect(addresses()).toEqual(["203.0.113.7"]);
    expect((await stack.exportState()).resources[0]!.inputs["__provider"]).toBe(
      'exports.handler=()=>require("pulumi-dataplatform/dynamic").WhitelistedIp',
    );
    const destroyed = await stack.destroy();
    expect(destroyed.code, destroyed.text).toBe(0);
    expect(addresses()).toEqual([]);
  } finally {
    stack.remove();
  }
}

describe("the package works", () => {
  test("installed from its tarball by npm, in CommonJS", async () =>
    upAndDown(await judgedByPack(await previewInPlugin(await installedBy("npm", "CommonJS")))));
  test("installed from its tarball by pnpm, in ESM", async () =>
    upAndDown(await judgedByPack(await previewInPlugin(await installedBy("pnpm", "ESM")))));
  test("symlinked, in ESM", async () => upAndDown(await project("ESM")));
  test("symlinked, in CommonJS", async () => upAndDown(await project("CommonJS")));
});

test("the package contains what users need, and nothing else", () => {
  const [{ files, unpackedSize }] = JSON.parse(npm(root, "pack", "--dry-run", "--json", "--ignore-scripts")) as [
    { files: { path: string }[]; unpackedSize: number },
  ];
  const paths = files.map(({ path }) => path);
  for (const needed of [
    "dist/sdk/index.js",
    "dist/sdk/index.d.ts",
    "dist/provider/dynamic.js",
    "dist/provider/plugin/main.js",
    "dist/plugin/pulumi-resource-dataplatform",
    "dist/plugin/pulumi-resource-dataplatform.cmd",
    "sdk/schema.json",
    "sdk/environment.schema.json",
    "dist/cli/main.js",
    "dist/policies/main.js",
    "dist/policies/index.d.ts",
    "dist/policies/policy-pack/PulumiPolicy.yaml",
    "dist/policies/policy-pack/index.js",
    "docs/policies/whole-internet.md",
    "dist/emulator/console.html",
    "LICENSE",
    "README.md",
  ])
    expect(paths).toContain(needed);
  expect(
    paths.filter((path) => /^(test|tools|examples)\/|dist\/tools|\.map$|tsbuildinfo|^provider\/.*\.ts$/.test(path)),
  ).toEqual([]);
  expect(unpackedSize).toBeLessThan(3_600_000);
  expect(existsSync(tarball)).toBe(true);
});
