#!/usr/bin/env node
import "./process-setup";
import { exitWithEngine } from "../engine/engine-watch";
import { EngineLog } from "../engine/log";
import { serve } from "./server";

/** Time for the last responses to leave the socket. */
const flushMs = 20;

/** `pulumi-resource-dataplatform <engine address>`: the engine reads the port from the first line. */
async function main(): Promise<void> {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const service = await serve(new EngineLog(address), { servesMany: !address });
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
