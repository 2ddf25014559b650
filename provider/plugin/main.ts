#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { EngineLog } from "../engine/log";
import { exitWithEngine } from "./engine-watch";
import { serve } from "./server";

/** For the last answers to leave the socket. */
const flushMs = 20;

/**
 * A provider is small and waits most of its time; V8 would trade memory for speed that nobody needs here. The HTTP
 * parser is WebAssembly, whose fastest form takes 35 MB to make; and what is young is garbage soon, so the space for it
 * need not grow. Together: 88 MB instead of 150 at a thousand resources, and no slower.
 */
setFlagsFromString("--liftoff-only");
setFlagsFromString("--semi-space-growth-factor=1");

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
