import type { Client } from "../../provider/api/client";
import type { Context } from "../../provider/core/define";
import { guarded } from "../../provider/core/guard";

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
