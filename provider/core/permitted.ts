import { isPlatformError } from "../api/errors";
import type { Log } from "./define";

/**
 * What the platform shows. A token with a role that allows only the write must still be able to refresh, so undefined,
 * with a warning, when it may not read: the state is kept.
 */
export async function readIfPermitted<T>(log: Log, what: string, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!isPlatformError(error, "forbidden")) throw error;
    log.warn(`cannot check ${what}, so its state is kept: ${error.message}`);
    return undefined;
  }
}
