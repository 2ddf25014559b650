import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../tools/engine/layout.mjs";
import { withLock } from "../../tools/lib/lock.mjs";
import { root, run } from "./engine";

/** The newest when this was written: exact, so that every run is the same. */
export const newestNode = "26.10.0";

/** A folder whose `node` is of that version. */
export async function nodeFolder(version: string): Promise<string> {
  if (version === process.versions.node) return dirname(process.execPath);
  // The npm package `node` fetches this one in an install script, which npm may refuse to run.
  const platform = process.platform === "win32" ? "win" : process.platform;
  return join(await installed(`node-${platform}-${process.arch}`, version), "node_modules/.bin");
}

/** Installs an exact version of a package, once per machine, and returns the folder that holds its node_modules. */
export async function installed(name: string, version: string): Promise<string> {
  const target = join(
    cacheFolder(),
    "packages",
    `${name.replace("/", "+")}@${version}-${process.platform}-${process.arch}`,
  );
  if (existsSync(target)) return target;
  await withLock(
    `${target}.lock`,
    () => undefined,
    async () => {
      if (!existsSync(target)) await install(target, `${name}@${version}`);
    },
  );
  return target;
}

/** Fills a staging folder and renames it when complete, so that the target is never partial. */
async function install(target: string, what: string): Promise<void> {
  const staging = `${target}.tmp`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  writeFileSync(join(staging, "package.json"), '{ "private": true }');
  const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", what];
  const { code, stderr } = await run("npm", args, { cwd: staging, env: process.env });
  if (code !== 0) throw new Error(`npm could not install ${what}: ${stderr}`);
  renameSync(staging, target);
}

/**
 * A project's node_modules with another version of Pulumi. This package is copied, not linked, because from its own
 * folder it would find the version it is developed with.
 */
export function usePulumi(project: string, packages: string): void {
  const modules = join(project, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  for (const path of ["package.json", "dist", "sdk/schema.json"])
    cpSync(join(root, path), join(modules, "pulumi-dataplatform", path), { recursive: true });
  link(join(packages, "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  for (const name of ["undici", "zod"]) link(join(root, "node_modules", name), join(modules, name));
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to, "dir");
}
