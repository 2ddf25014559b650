import { Clients } from "./api/clients";
import { readSettings } from "./api/settings";
import type { Log } from "./core/define";
import { FunctionRun, secretOutputs } from "./core/function-run";
import type { Properties } from "./core/values";
import { functionNamed } from "./functions";

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
const clients = new Clients();

export async function call(
  name: string,
  inputs: Properties,
  { config, preview, log, marked }: ProgramContext,
): Promise<{ outputs: Properties; secret: boolean }> {
  const definition = functionNamed(name);
  if (!definition) throw new Error(`unknown function ${name}`);
  const run = new FunctionRun(definition, { client: () => clients.of(readSettings(config)), log }, marked);
  const outputs = await run.run(inputs, { preview });
  return { outputs, secret: secretOutputs(definition, outputs).length > 0 };
}
