import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { projectAt, readProject } from "../pulumi/project";
import { Refused } from "./refused";
import { sha256 } from "./state";

/** What npm or tools write there for themselves; Node loads no module from these. */
const ignored = new Set([".cache", ".package-lock.json", ".vite"]);

/**
 * A digest of every file in a folder. That of the installed packages is taken before a program runs, and again after a
 * fresh install before the plan is applied: a registry, a cache or a script that changed a file in between shows.
 */
export function installedDigest(folder = "node_modules"): string {
  const hash = createHash("sha256");
  for (const line of filesIn(folder, "")) hash.update(line).update("\n");
  return hash.digest("hex");
}

function* filesIn(folder: string, prefix: string): Generator<string> {
  const names = readdirSync(join(folder, prefix)).sort();
  for (const name of names) {
    if (prefix === "" && ignored.has(name)) continue;
    const path = prefix === "" ? name : `${prefix}/${name}`;
    const file = join(folder, path);
    const stat = lstatSync(file);
    if (stat.isDirectory()) yield* filesIn(folder, path);
    else yield JSON.stringify([path, stat.isSymbolicLink() ? `-> ${readlinkSync(file)}` : sha256(readFileSync(file))]);
  }
}

/** Pulumi would make a missing environment of Python by itself, from whatever is newest. */
export function refuseWithoutPython(): void {
  const { name, virtualenv } = projectAt(".") === undefined ? {} : readProject(".");
  if (virtualenv === undefined || existsSync(virtualenv)) return;
  throw new Refused([
    `not installed: ${name} names ${virtualenv}, where there is none; make it in this job, before this step, from requirements with hashes`,
  ]);
}
