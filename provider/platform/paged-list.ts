import { isPlatformError, leavesOutcomeOpen } from "../api/errors";

export interface ListPage {
  readonly entries: readonly unknown[];
  /** The page after it; null when the platform says that there is none, undefined when it says nothing about pages. */
  readonly nextPage: number | null | undefined;
}

/** More pages than any account fills; a server that counts in circles must not keep us. */
const mostPages = 10_000;
const mostPasses = 6;

/**
 * A list that the manual shows whole. A platform may cut it all the same, with or without saying so, and what stands on
 * a further page must not be taken for gone. So where nothing is said about pages and something is missing, the second
 * one is asked for, once in the life of a client: a platform without pages shows the same again, nothing, or a refusal.
 */
export class PagedList {
  #isCut: boolean | undefined;
  #looksFurther = false;

  /** Whether all there is has been seen, as far as anybody can tell. */
  get isSettled(): boolean {
    return this.#isCut !== undefined;
  }

  /** Something is missing: from now on further pages are asked for, also where nothing is said about them. */
  lookFurther(): boolean {
    const isNews = !this.#looksFurther;
    this.#looksFurther = true;
    return isNews;
  }

  async read(readPage: ReadPage): Promise<unknown[]> {
    const found = new Map<string, unknown>();
    for (let pass = 0; pass < mostPasses; pass++) {
      const known = found.size;
      const pages = await this.#pass(readPage, found);
      // Between two pages the order may change, and an entry slip through: so until nothing new is seen.
      if (pages === 1 || (pass > 0 && found.size === known)) break;
    }
    return [...found.values()];
  }

  /** Reads all pages once, and tells how many there are. */
  async #pass(readPage: ReadPage, found: Map<string, unknown>): Promise<number> {
    const take = (entries: readonly unknown[]): number => {
      const fresh = entries.filter((entry) => !found.has(keyOf(entry)));
      for (const entry of fresh) found.set(keyOf(entry), entry);
      return fresh.length;
    };
    const first = await readPage(undefined);
    take(first.entries);
    const seen = new Set(first.entries.map(keyOf));
    let { nextPage } = first;
    for (let page = 2; page <= mostPages; page++) {
      const isSaid = typeof nextPage === "number";
      const mayGoOn = this.#looksFurther && this.#isCut !== false && nextPage !== null && first.entries.length > 0;
      if (!isSaid && !mayGoOn) return page - 1;
      const next = await (isSaid ? readPage(page) : readPage(page).catch(endIfRefused));
      const others = next.entries.filter((entry) => !seen.has(keyOf(entry)));
      if (!isSaid && page === 2) this.#isCut = others.length > 0 && others.length === next.entries.length;
      take(next.entries);
      // A platform that shows its last page again, whatever page is asked for, has no more.
      if (others.length === 0 && !isSaid) return page - 1;
      for (const entry of others) seen.add(keyOf(entry));
      nextPage = next.nextPage;
    }
    return mostPages;
  }
}

type ReadPage = (page: number | undefined) => Promise<ListPage>;

/** `paging_info`, in the form that the command history shows. */
export function nextPageIn(answer: unknown): number | null | undefined {
  if (typeof answer !== "object" || answer === null || !("paging_info" in answer)) return undefined;
  const next = (answer as { paging_info?: { next_page?: unknown } | null }).paging_info?.next_page;
  return /^[1-9]\d*$/.test(String(next)) ? Number(next) : null;
}

function endIfRefused(error: unknown): ListPage {
  if (!isPlatformError(error) || leavesOutcomeOpen(error)) throw error;
  return { entries: [], nextPage: null };
}

/** By the id where there is one, within its account: what else is shown of an entry may change between two pages. */
function keyOf(entry: unknown): string {
  const { id, account_id: account } = (typeof entry === "object" && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >;
  return id === undefined || id === null ? JSON.stringify(entry) : `id ${String(id)} of ${String(account)}`;
}
