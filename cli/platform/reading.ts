import type { Client } from "../../provider/api/client";
import { isPlatformError, type PlatformError } from "../../provider/api/errors";
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
