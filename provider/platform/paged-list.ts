import { isPlatformError, leavesOutcomeOpen } from "../api/errors";

export interface ListPage {
  readonly entries: readonly unknown[];
  /** Null if the platform says that this is the last page, undefined if it says nothing about pages. */
  readonly nextPage: number | null | undefined;
}

/** More pages than any account fills, so that a server that repeats its pages cannot keep us reading forever. */
const maxPages = 10_000;
const maxPasses = 6;

/**
 * A list that is unpaged according to the API's manual. A platform may still split it into pages, with or without saying
 * so, and an entry on a later page must not count as gone. So if an entry is missing and the platform says nothing about
 * pages, request page 2, once per client: a platform without pages repeats the list, returns nothing, or refuses.
 */
export class PagedList {
  #isPaged: boolean | undefined;
  #probesPages = false;

  /** Whether it is known if the platform splits the list into pages without saying so. */
  get pagingIsKnown(): boolean {
    return this.#isPaged !== undefined;
  }

  /** From now on, requests further pages even if the platform says nothing about them. False if it already did. */
  startProbing(): boolean {
    const isFirst = !this.#probesPages;
    this.#probesPages = true;
    return isFirst;
  }

  async read(readPage: ReadPage): Promise<unknown[]> {
    const found = new Map<string, unknown>();
    for (let pass = 0; pass < maxPasses; pass++) {
      const sizeBefore = found.size;
      const pages = await this.#readAllPages(readPage, found);
      // An entry is missed if the order changes between two pages, so read again until nothing new turns up.
      if (pages === 1 || (pass > 0 && found.size === sizeBefore)) break;
    }
    return [...found.values()];
  }

  /** Returns the number of pages. */
  async #readAllPages(readPage: ReadPage, found: Map<string, unknown>): Promise<number> {
    const take = (entries: ReadonlyMap<string, unknown>): void => {
      for (const [key, entry] of entries) if (!found.has(key)) found.set(key, entry);
    };
    const first = await readPage(undefined);
    const seen = byKey(first.entries);
    take(seen);
    let { nextPage } = first;
    for (let page = 2; page <= maxPages; page++) {
      const isAnnounced = typeof nextPage === "number";
      const mayProbe = this.#probesPages && this.#isPaged !== false && nextPage !== null && first.entries.length > 0;
      if (!isAnnounced && !mayProbe) return page - 1;
      const next = await readPage(page).catch(isAnnounced ? endIfOutOfBounds : endIfRefused);
      const entries = byKey(next.entries);
      const unseen = next.entries.filter((entry) => !seen.has(keyOf(entry)));
      if (!isAnnounced && page === 2) this.#isPaged = unseen.length > 0 && unseen.length === next.entries.length;
      take(entries);
      // Some platforms repeat their last page for every higher page number.
      if (unseen.length === 0 && !isAnnounced) return page - 1;
      for (const [key, entry] of entries) seen.set(key, entry);
      nextPage = next.nextPage;
    }
    return maxPages;
  }
}

type ReadPage = (page: number | undefined) => Promise<ListPage>;

/** Reads `paging_info` in the format of the command history. */
export function nextPageIn(answer: unknown): number | null | undefined {
  if (typeof answer !== "object" || answer === null || !("paging_info" in answer)) return undefined;
  const next = (answer as { paging_info?: { next_page?: unknown } | null }).paging_info?.next_page;
  return /^[1-9]\d*$/.test(String(next)) ? Number(next) : null;
}

function endIfRefused(error: unknown): ListPage {
  if (!isPlatformError(error) || leavesOutcomeOpen(error)) throw error;
  return { entries: [], nextPage: null };
}

/** Some platforms announce a next page on the last one too, and refuse to show it. */
function endIfOutOfBounds(error: unknown): ListPage {
  if (!isPlatformError(error) || !/out of bounds/i.test(error.message)) throw error;
  return endIfRefused(error);
}

function byKey(entries: readonly unknown[]): Map<string, unknown> {
  const keyed = new Map<string, unknown>();
  for (const entry of entries) keyed.set(keyOf(entry), entry);
  return keyed;
}

/** By account and id if there is an id: other fields may change between two pages. */
function keyOf(entry: unknown): string {
  const { id, account_id: account } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >;
  return id === undefined || id === null ? JSON.stringify(entry) : `id ${String(id)} of ${String(account)}`;
}
