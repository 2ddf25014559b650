import { Client } from "../../provider/api/client";
import { isPlatformError, type PlatformError } from "../../provider/api/errors";
import { readSettings, type Settings } from "../../provider/api/settings";
import type { Context } from "../../provider/core/define";
import { FunctionRun } from "../../provider/core/function-run";
import { guarded } from "../../provider/core/guard";
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

/** Lends the client to one of the provider's own reads. Warnings become notes; secrets are taken out of both. */
export function reading<T>(
  client: Client,
  what: string,
  notes: string[],
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const log = { info: () => {}, warn: (message: string) => void notes.push(message) };
  return guarded({ client: () => client, log }, { name: what, failed: what, secrets: [] }, work);
}

/** Errors about one thing, rather than about the connection or the token, which would fail for everything. */
export function isAboutOneThing(error: unknown): error is PlatformError {
  return isPlatformError(error, "forbidden", "not-found", "rejected", "conflict", "bad-answer");
}

/** For `catch`: what to do after an error about one thing. Any other is thrown again. */
export function ifAboutOneThing<T>(otherwise: (message: string) => T): (error: unknown) => T {
  return (error) => {
    if (!isAboutOneThing(error)) throw error;
    return otherwise(error.message);
  };
}
