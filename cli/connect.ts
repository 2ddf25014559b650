import { Client } from "../provider/api/client.js";
import { readSettings, type Settings } from "../provider/api/settings.js";
import { FunctionRun } from "../provider/core/function-run.js";
import { functions } from "../provider/functions/index.js";
import type { Place } from "./pulumi/run.js";
import { readConfig } from "./pulumi/stack.js";

/** Settings from the stack's configuration and the environment; without a stack, from the environment alone. */
export async function settingsAt(place: Place | undefined): Promise<Settings> {
  const config = place ? await readConfig(place) : {};
  return readSettings((name) => config[`dataplatform:${name}`]?.value);
}

/** Calls the provider's read-only functions. */
export class Reader {
  readonly client: Client;

  constructor(target: Settings | Client) {
    this.client = target instanceof Client ? target : new Client(target);
  }

  async run(name: string, inputs: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const definition = functions.find((candidate) => candidate.name === name);
    if (definition?.effect !== "reads") throw new Error(`${name} is not a read-only function`);
    const host = { client: () => this.client, log: { info: () => {}, warn: () => {} } };
    return new FunctionRun(definition, host).run(inputs, { preview: false });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** One client per distinct settings, so that resources share reads and connections. */
export class Clients {
  readonly #clients = new Map<string, Client>();

  of(settings: Settings): Client {
    const key = JSON.stringify(settings);
    const client = this.#clients.get(key) ?? new Client(settings);
    this.#clients.set(key, client);
    return client;
  }

  addresses(): string[] {
    return [...new Set([...this.#clients.values()].map(({ settings }) => settings.baseUrl))].sort();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}
