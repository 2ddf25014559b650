import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoted } from "./terminal/quote";

/** Where this package is installed, or its clone. */
function packageFolder(): string {
  let folder = __dirname;
  while (!existsSync(join(folder, "package.json")) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8")) as { version: string }).version;
}

/** What made a report. */
export function toolName(): string {
  return `pulumi-dataplatform ${packageVersion()}`;
}

/** The file that `packCommand` writes. */
export function packageFile(): string {
  return `pulumi-dataplatform-${packageVersion()}.tgz`;
}

/**
 * Writes this package, from where it runs, as a file to the current folder. It is in no registry, where somebody else may
 * take its name: its file is safe.
 */
export function packCommand(): string {
  // Packing what is installed needs no script, and those of the clone are not there.
  return `npm pack --ignore-scripts ${quoted(packageFolder())}`;
}

export function installCommand(): string {
  return `${packCommand()} && npm install ./${packageFile()}`;
}
