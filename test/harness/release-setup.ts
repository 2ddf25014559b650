import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { TestProject } from "vitest/node";
import { cacheFolder } from "../../tools/engine/layout.mjs";
import { browserPath } from "../../tools/lib/browser.mjs";
import { withLock } from "../../tools/lib/lock.mjs";
import { root } from "../../tools/lib/project.mjs";
import { runNpm } from "../../tools/lib/run.mjs";
import { say } from "../../tools/lib/say.mjs";
import { ensureActionlint } from "../../tools/lint-workflows.mjs";
import { installSite } from "../../tools/site.mjs";
import { newestNode, nodePackage, packageFolder, pulumiVersions } from "./versions";

declare module "vitest" {
  interface ProvidedContext {
    /** Folders with a node_modules that a package manager installed from the tarball. */
    npmProject: string;
    pnpmProject: string;
  }
}

const pnpm = "pnpm@10.34.9";

/**
 * Before the first test of test/release, and in no test's time: packs and installs the package once for all, and fetches
 * what the tests use. They ask the network for nothing. Only what the files of this run name is prepared.
 */
export default async function setUp(project: TestProject): Promise<() => void> {
  const sources = project.vitest.state.getPaths().map((path) => readFileSync(path, "utf8"));
  const isNamed = (word: string) => sources.some((text) => text.includes(word));
  const folder = mkdtempSync(join(tmpdir(), "dataplatform-release-"));
  if (isNamed("harness/versions")) {
    for (const version of Object.values(pulumiVersions)) await fetchPackage("@pulumi/pulumi", version);
    await fetchPackage(nodePackage, newestNode);
  }
  if (isNamed("lint-workflows")) await ensureActionlint();
  if (isNamed("tools/site.mjs")) await installSite();
  if (isNamed("harness/browser") || isNamed("harness/report-pages")) await browserPath();
  if (isNamed('inject("npmProject")') || isNamed('inject("pnpmProject")')) {
    const tarball = await pack(folder);
    project.provide("npmProject", await installWithNpm(folder, tarball));
    if (isNamed('inject("pnpmProject")')) project.provide("pnpmProject", await installWithPnpm(folder, tarball));
  }
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function pack(folder: string): Promise<string> {
  say("set-up: npm pack (about 5 s)");
  const flags = ["--json", "--ignore-scripts", "--pack-destination", folder];
  const [{ filename }] = JSON.parse(await npm(root, "pack", ...flags)) as [{ filename: string }];
  return join(folder, filename);
}

/** The project of the README's first steps. Afterwards npm's cache has all that they install, for a test without network. */
async function installWithNpm(folder: string, tarball: string): Promise<string> {
  say("set-up: npm install of the package (about 30 s)");
  const project = join(folder, "npm-project");
  cpSync(join(root, "examples/quickstart"), project, { recursive: true });
  await npm(project, "install", "--prefer-offline", "--no-audit", "--no-fund", tarball, "tsx");
  return project;
}

async function installWithPnpm(folder: string, tarball: string): Promise<string> {
  say("set-up: pnpm install of the package (about 30 s)");
  const project = join(folder, "pnpm-project");
  mkdirSync(project);
  const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const dependencies = {
    "pulumi-dataplatform": `file:${tarball}`,
    "@pulumi/pulumi": devDependencies["@pulumi/pulumi"],
    typescript: devDependencies["typescript"],
  };
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, dependencies }));
  const store = join(cacheFolder(), "pnpm-store");
  await npm(
    project,
    ...["exec", "--yes", pnpm, "--", "install", "--prefer-offline", "--ignore-scripts", "--store-dir", store],
  );
  return project;
}

/** Once per machine. Fills a staging folder and renames it when complete, so that the target is never partial. */
async function fetchPackage(name: string, version: string): Promise<void> {
  const target = packageFolder(name, version);
  const install = async (): Promise<void> => {
    if (existsSync(target)) return;
    say(`set-up: fetching ${name} ${version}`);
    const staging = `${target}.tmp`;
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { recursive: true });
    writeFileSync(join(staging, "package.json"), '{ "private": true }');
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    await npm(staging, "install", ...flags, `${name}@${version}`);
    renameSync(staging, target);
  };
  const onWait = (owner: string) => say(`set-up: waiting for ${owner}, which is fetching ${basename(target)}`);
  if (!existsSync(target)) await withLock(`${target}.lock`, onWait, install);
}

/** The network may be slow or reset a connection: three attempts. */
async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const { code, stdout, stderr } = await runNpm([...args], { cwd });
    if (code === 0) return stdout;
    if (attempt === 3) throw new Error(`npm ${args.join(" ")} failed:\n${stderr.trim()}`);
    say(`set-up: npm ${args[0]} failed, trying again:\n${stderr.trim().split("\n").slice(-3).join("\n")}`);
  }
}
