import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client, LookUp } from "../api/client";
import { extendedOperations } from "../api/extended-operations";
import { installationOf, isLacking } from "../api/installation";
import { type Operation, operations } from "../api/operations";
import { isNotFound } from "../core/extended";
import type { Id } from "../values/id";
import { type ListPage, nextPageIn } from "./paged-list";

const Answer = z.looseObject({ account_whitelisted_ips: z.array(z.unknown()) });

interface Addition {
  readonly ip_cidr: string;
  readonly description?: string | undefined;
}

/**
 * The requests of the whitelist: v1.2, or v2 with the extended API. Both are about the same records, so nothing is lost
 * where an installation lacks v2, and there is no warning.
 */
export class WhitelistRequests {
  readonly #api: Client;

  constructor(api: Client) {
    this.#api = api;
  }

  list(page: number | undefined): Promise<ListPage> {
    return this.#inEither(extendedOperations.listWhitelistedIpsV2, operations.listWhitelistedIps, async (operation) => {
      const answer = await this.#api.call(operation, { query: { page }, answer: Answer });
      return { entries: answer.account_whitelisted_ips, nextPage: nextPageIn(answer) };
    });
  }

  /** `api` carries the caller's abort signal. The list shows whether it was added. */
  add(body: Addition, api: Client, lookUp: LookUp<unknown>): Promise<unknown> {
    return this.#inEither(extendedOperations.addWhitelistedIpV2, operations.addWhitelistedIp, (operation) =>
      api.callOnce(operation, { body, answer: anyAnswer, ...lookUp }),
    );
  }

  remove(ids: readonly Id[]): Promise<unknown> {
    const { deleteWhitelistedIpsV2 } = extendedOperations;
    return this.#inEither(deleteWhitelistedIpsV2, operations.deleteWhitelistedIps, (operation) =>
      this.#api.call(operation, { path: { ids: ids.join(",") }, answer: anyAnswer }),
    );
  }

  /** "Not found" may be about an entry, or about the operation: v2 is lacking only if v1.2 does what it did not do. */
  async #inEither<V2 extends Operation, V1 extends Operation, T>(
    v2: V2,
    v1: V1,
    send: (operation: V2 | V1) => Promise<T>,
  ): Promise<T> {
    const installation = installationOf(this.#api);
    if (!this.#api.settings.extendedApi || installation.lacks(v2)) return send(v1);
    try {
      return await send(v2);
    } catch (error) {
      if (!isLacking(v2, error) && !isNotFound(error)) throw error;
      const result = await send(v1);
      installation.notice(v2, error, () => undefined);
      return result;
    }
  }
}
