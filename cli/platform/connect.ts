import { Client } from "../../provider/api/client";
import { readSettings, type Settings } from "../../provider/api/settings";
import { FunctionRun } from "../../provider/core/function-run";
import { functions } from "../../provider/functions";
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
    const definition = functions.find((candidate) => candidate.name === name);
    if (definition?.effect !== "reads") throw new Error(`there is no function ${name} that reads`);
    const host = { client: () => this.client, log: { info: () => {}, warn: () => {} } };
    return new FunctionRun(definition, host).run(inputs, { preview: false });
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** One client for all resources with the same settings: they share their reads and their connections. */
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
