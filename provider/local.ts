import { Client } from "./api/client";
import { readSettings, type Settings } from "./api/settings";
import type { Log } from "./core/define";
import { FunctionRun, secretOutputs } from "./core/function-run";
import type { Properties } from "./core/values";
import { functions } from "./functions";

/** The adapter for functions without a plugin: they run in the program's own process, which `sdk/invoke.ts` lends them. */

/** What the program lends to a function that runs in its own process. */
export interface ProgramContext {
  readonly config: (name: string) => string | undefined;
  readonly preview: boolean;
  readonly log: Log;
  /** The arguments that the program has marked as secrets. */
  readonly marked: readonly string[];
}

/** By their settings: one program has one, several inline programs of one process may differ. */
const clients = new Map<string, Client>();

export async function call(
  name: string,
  inputs: Properties,
  { config, preview, log, marked }: ProgramContext,
): Promise<{ outputs: Properties; secret: boolean }> {
  const definition = functions.find((candidate) => candidate.name === name);
  if (!definition) throw new Error(`there is no function ${name}`);
  const run = new FunctionRun(definition, { client: () => clientFor(readSettings(config)), log }, marked);
  const outputs = await run.run(inputs, { preview });
  return { outputs, secret: secretOutputs(definition, outputs).length > 0 };
}

function clientFor(settings: Settings): Client {
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new Client(settings);
  clients.set(key, client);
  return client;
}
