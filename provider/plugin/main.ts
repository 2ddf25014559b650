#!/usr/bin/env node
import { exitWithEngine } from "./engine-watch";
import { EngineLog } from "./log";
import { serve } from "./server";

/** `pulumi-resource-dataplatform <engine address>`: the engine reads the port from the first line. */
async function main(): Promise<void> {
  const address = process.argv.slice(2).find((argument) => !argument.startsWith("-"));
  const port = await serve(new EngineLog(address));
  process.stdout.write(`${port}\n`);
  // Ctrl-C reaches every process of a terminal. The engine then says what is to be done: cancel, or end.
  process.on("SIGINT", () => undefined);
  if (address) exitWithEngine(address);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
