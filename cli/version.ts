import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The version of this package, wherever it is installed. */
export function packageVersion(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  }
  return "unknown";
}

/** What made a report. */
export function toolName(): string {
  return `pulumi-dataplatform ${packageVersion()}`;
}

/** How to install this package. It is in no registry, where somebody else may take its name: its file is safe. */
export function installCommand(): string {
  return `npm install PATH/pulumi-dataplatform-${packageVersion()}.tgz`;
}
