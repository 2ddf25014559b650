import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { exitWithEngine } from "../provider/engine/engine-watch";
import type { Rule } from "./rule";
import { rules as ownRules } from "./rules";

export interface PackOptions {
  /** Name of the pack in Pulumi's output: letters, digits, dots, hyphens and underscores. Default: `dataplatform`. */
  readonly name?: string;
  /** Default: the version of this package. */
  readonly version?: string;
  /** Default: all rules of this package. */
  readonly rules?: readonly Rule[];
}

/** Runs a policy pack in this process, which the engine has started: `--policy-pack` names the program that calls this. */
export async function pack({ name = "dataplatform", version, rules = ownRules }: PackOptions = {}): Promise<void> {
  const duplicate = rules.find((rule, index) => rules.findIndex((other) => other.name === rule.name) !== index);
  if (duplicate)
    throw new Error(`policy pack ${name}: there are two rules named ${duplicate.name}; rename one of them`);
  const { serve } = await loadServer();
  const port = await serve({ name, version: version ?? packageVersion(), rules, onEngine: watchOnce() });
  // This is how the engine ends a pack; it waits for seconds if the pack does not exit.
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) process.once(signal, () => process.exit(0));
  process.stdout.write(`${port}\n`);
}

/** The engine says where it is in its first call: a folder's program is not started with its address, as a command is. */
function watchOnce(): (address: string) => void {
  let isWatching = false;
  return (address) => {
    if (address && !isWatching) exitWithEngine(address);
    isWatching = true;
  };
}

/** Loaded late, so that rules can be imported, and a missing package reported, without Pulumi's stubs. */
async function loadServer(): Promise<typeof import("./server")> {
  try {
    return await import("./server.js");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw error;
    throw new Error(
      `the policy pack needs @pulumi/pulumi, which is not installed beside pulumi-dataplatform. Install it in your project: npm install @pulumi/pulumi (${(error as Error).message.split("\n", 1)[0]})`,
    );
  }
}

function packageVersion(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, "utf8")) as { name?: string; version?: string };
      if (name === "pulumi-dataplatform" && version) return version;
    }
  }
  return "0.0.0";
}
