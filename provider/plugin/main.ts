#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { exitWithEngine } from "../engine/engine-watch";
import { EngineLog } from "../engine/log";
import { serve } from "./server";

/** Time for the last responses to leave the socket. */
const flushMs = 20;

/**
 * A provider is small and mostly waits; V8 would trade memory for speed that is not needed.
 * - The HTTP parser is WebAssembly, whose optimising compiler takes 35 MB.
 * - Most objects die young, so the young generation need not grow.
 * - A list of addresses outlives the young generation, and the next one replaces it: the old generation is nearly all
 *   garbage, and would double before it is collected.
 */
setFlagsFromString("--liftoff-only");
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--heap-growing-percent=30");

/** `pulumi-resource-dataplatform <engine address>`: the engine reads the port from the first line. */
async function main(): Promise<void> {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const service = await serve(new EngineLog(address));
  process.stdout.write(`${service.port}\n`);
  // This is how the engine ends a plugin; it waits for seconds if the plugin does not exit. Calls in flight finish first.
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const)
    process.once(signal, () => void service.finish().then(() => setTimeout(() => process.exit(0), flushMs)));
  if (address) exitWithEngine(address);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
