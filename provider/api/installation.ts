import type { Client } from "./client";
import type { PlatformError } from "./errors";
import { extendedOperations } from "./extended-operations";
import { isLacking, isNotFound } from "./meaning";
import type { Operation } from "./operations";
import type { Settings } from "./settings";

/**
 * What an installation has beside the specification. Nothing lists its operations, so each is tried when it is needed;
 * one that is lacking is remembered, and the caller goes on without it. With `dataplatform:extendedApi` off, it has none.
 */
class Installation {
  readonly #lacking: Set<Operation>;
  readonly #noticed = new Set<Operation>();
  readonly #profile: Settings["profile"];

  constructor({ extendedApi, profile }: Settings) {
    this.#lacking = new Set(extendedApi ? [] : Object.values(extendedOperations));
    this.#profile = profile;
  }

  lacks(operation: Operation): boolean {
    return this.#lacking.has(operation) || (this.#profile?.lacks(operation) ?? false);
  }

  /**
   * Sends a request in the newer of two versions that do the same, so nothing is lost where it is lacking, and there is
   * no warning. "Not found" may be about a thing too: the newer one is lacking only if the older one does the work.
   * `mayBeLacking`: other errors that may mean it.
   */
  async newest<Newer extends Operation, Older extends Operation, T>(
    newer: Newer,
    older: Older,
    send: (operation: Newer | Older) => Promise<T>,
    mayBeLacking: (error: unknown) => boolean = () => false,
  ): Promise<T> {
    if (this.lacks(newer)) return send(older);
    try {
      return await send(newer);
    } catch (error) {
      if (!isNotFound(error) && !isLacking(newer, error) && !mayBeLacking(error)) throw error;
      const result = await send(older);
      this.#lacking.add(newer);
      return result;
    }
  }

  /**
   * Remembers that an operation is lacking, unless it was not found for one thing, which tells nothing about others. The
   * first time, says so in the log, unless another one does the same.
   */
  notice(
    operation: Operation,
    error: PlatformError,
    log?: { warn(message: string): void },
    isForAll = isLacking(operation, error),
  ): void {
    if (isForAll) this.#lacking.add(operation);
    if (this.#noticed.has(operation)) return;
    this.#noticed.add(operation);
    const { method, path, does } = operation;
    const which = isForAll ? "" : ", at least not of everything";
    log?.warn(
      `this installation of the platform cannot ${does}${which} (${method} ${path}: ${error.status}). Continuing as without dataplatform:extendedApi`,
    );
  }
}

export const installationOf = (api: Client): Installation => api.shared(makeInstallation);
const makeInstallation = ({ settings }: Client): Installation => new Installation(settings);
