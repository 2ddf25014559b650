import { Client } from "./client";
import type { Settings } from "./settings";

/** One client for each set of settings: what is read with the same ones shares its reads and its connections. */
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
