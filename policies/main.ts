#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { pack } from "./pack";

// The process lives for seconds, beside an engine that needs the cores: optimised code would not pay for its compilation.
setFlagsFromString("--always-sparkplug");
setFlagsFromString("--no-opt");

const usage = `Usage: pulumi preview --policy-pack node_modules/.bin/dataplatform-policies

The rules of pulumi-dataplatform as a policy pack: Pulumi starts it, for preview, up and "pulumi policy analyze".
To choose levels and options, add --policy-pack-config <file.json>. The rules are in docs/policies.md.

Options:
  --help   show this text
`;

function main([first]: readonly string[]): Promise<void> {
  if (first === "--help" || first === "-h") {
    process.stdout.write(usage);
    return Promise.resolve();
  }
  // The engine's address.
  if (first !== undefined && /:\d+$/.test(first)) return pack();
  process.stderr.write(`dataplatform-policies: Pulumi starts this program, not you.\n\n${usage}`);
  process.exitCode = 1;
  return Promise.resolve();
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
