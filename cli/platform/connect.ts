import { Client } from "../../provider/api/client";
import { readSettings, type Settings } from "../../provider/api/settings";
import { FunctionRun } from "../../provider/core/function-run";
import { functionNamed } from "../../provider/functions";
import type { Place } from "../pulumi/run";
import { readConfig } from "../pulumi/stack";

/** The settings of a stack and of the environment; without a stack, of the environment alone. */
export async function settingsAt(place: Place | undefined): Promise<Settings> {
  const config = place ? await readConfig(place) : {};
  return readSettings((name) => config[`dataplatform:${name}`]?.value);
}

/** Runs the provider's own functions that read. */
export class Reader {
  readonly client: Client;

  constructor(of: Settings | Client) {
    this.client = of instanceof Client ? of : new Client(of);
  }

  async run(name: string, inputs: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const definition = functionNamed(name);
    if (definition?.effect !== "reads") throw new Error(`there is no function ${name} that reads`);
    const log = { info: () => {}, warn: () => {} };
    const host = { client: () => this.client, log, extendedApi: () => this.client.settings.extendedApi };
    return new FunctionRun(definition, host).run(inputs, { preview: false });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
