import { isPlatformError } from "../api/errors";
import type { Log } from "./define";

/**
 * What the platform shows, for something that may be written by whoever may not read it: a role that allows no more
 * than the writing must still be able to refresh. Undefined when the token may not read: the state stays as it is.
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
