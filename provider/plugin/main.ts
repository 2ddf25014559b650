#!/usr/bin/env node
import { exitWithEngine } from "./engine-watch";
import { EngineLog } from "./log";
import { serve } from "./server";

/** For the last answers to leave the socket. */
const flushMs = 20;

/** `pulumi-resource-dataplatform <engine address>`: the engine reads the port from the first line. */
async function main(): Promise<void> {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const service = await serve(new EngineLog(address));
  process.stdout.write(`${service.port}\n`);
  // So the engine ends a plugin, and waits for seconds if it does not go. What is under way gets its answer first.
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const)
    process.once(signal, () => void service.finish().then(() => setTimeout(() => process.exit(0), flushMs)));
  if (address) exitWithEngine(address);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
