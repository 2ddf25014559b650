import { Clients } from "./api/clients";
import { readSettings } from "./api/settings";
import type { Log } from "./core/define";
import { FunctionRun, secretOutputs } from "./core/function-run";
import type { Properties } from "./core/properties";
import { pathsOf } from "./core/secrets";
import { functionNamed } from "./functions";

/** The adapter for functions in dynamic mode: `sdk/invoke.ts` calls it in the program's own process. */

/** What the program provides to a function that runs in its process. */
export interface ProgramContext {
  readonly config: (name: string) => string | undefined;
  readonly preview: boolean;
  readonly log: Log;
  /** The arguments that the program marked as secrets. */
  readonly marked: readonly string[];
}

/** Several inline programs in one process may have different settings. */
const clients = new Clients();

export async function call(
  name: string,
  inputs: Properties,
  { config, preview, log, marked }: ProgramContext,
): Promise<{ outputs: Properties; secret: boolean }> {
  const definition = functionNamed(name);
  if (!definition) throw new Error(`unknown function ${name}`);
  const settings = () => readSettings(config);
  const host = { client: () => clients.of(settings()), log, extendedApi: () => settings().extendedApi };
  const run = new FunctionRun(definition, host, pathsOf(marked));
  const outputs = await run.run(inputs, { preview });
  return { outputs, secret: secretOutputs(definition, outputs).length > 0 };
}
