import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../tools/engine/layout.mjs";
import { root } from "./engine";

/** The oldest that package.json allows, and the newest when this was written; exact, so that every run is the same. */
export const pulumiVersions = { oldest: "3.120.0", newest: "3.270.0" };
export const newestNode = "26.10.0";

/** The folder of an exact version of a package, with its node_modules; release-setup.ts fills it, once per machine. */
export function packageFolder(name: string, version: string): string {
  const entry = `${name.replace("/", "+")}@${version}-${process.platform}-${process.arch}`;
  return join(cacheFolder(), "packages", entry);
}

/** The npm package `node` fetches this one in an install script, which npm may refuse to run. */
export const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** A folder whose `node` is of that version. */
export function nodeFolder(version: string): string {
  if (version === process.versions.node) return dirname(process.execPath);
  return join(packageFolder(nodePackage, version), "node_modules/.bin");
}

/**
 * A project's node_modules with another version of Pulumi. This package is copied, not linked, because from its own
 * folder it would find the version it is developed with.
 */
export function usePulumi(project: string, version: string): void {
  const modules = join(project, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  for (const path of ["package.json", "dist", "sdk/schema.json"])
    cpSync(join(root, path), join(modules, "pulumi-dataplatform", path), { recursive: true });
  link(join(packageFolder("@pulumi/pulumi", version), "node_modules/@pulumi/pulumi"), join(modules, "@pulumi/pulumi"));
  for (const name of ["undici", "zod"]) link(join(root, "node_modules", name), join(modules, name));
}

function link(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to, "dir");
}
