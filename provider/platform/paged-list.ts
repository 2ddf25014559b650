import { isPlatformError, leavesOutcomeOpen } from "../api/errors";
import { type Fields, isFields } from "../values/json";

export interface ListPage {
  readonly entries: readonly unknown[];
  /** Null if the platform says that this is the last page, undefined if it says nothing about pages. */
  readonly nextPage: number | null | undefined;
}

/** More pages than any account fills, so that a server that repeats its pages cannot keep us reading forever. */
const maxPages = 10_000;
const maxPasses = 6;

type ReadPage = (page: number | undefined) => Promise<ListPage>;

/** A list without a parameter for pages in its manual: all of it, and further pages only where the platform names them. */
export function readAnnounced(readPage: ReadPage): Promise<unknown[]> {
  return readUntilSettled(readPage, () => false);
}

/**
 * A list that has pages according to its manual, and whose end may not be announced. A platform that ignores the page
 * repeats its list, which is remembered once per client: it then has no pages.
 */
export class PagedList {
  #hasNoPages = false;

  read(readPage: ReadPage): Promise<unknown[]> {
    return readUntilSettled(readPage, (first, second) => {
      if (second) this.#hasNoPages = isRepeated(first, second);
      return !this.#hasNoPages && first.length > 0;
    });
  }
}

/** Whether to look for a further page that is not announced; told the second page once it is there. */
type LooksFurther = (first: readonly unknown[], second?: readonly unknown[]) => boolean;

async function readUntilSettled(readPage: ReadPage, looksFurther: LooksFurther): Promise<unknown[]> {
  const found = new Map<string, unknown>();
  for (let pass = 0; pass < maxPasses; pass++) {
    const sizeBefore = found.size;
    const pages = await readAllPages(readPage, looksFurther, found);
    // An entry is missed if the order changes between two pages, so read again until nothing new turns up.
    if (pages === 1 || (pass > 0 && found.size === sizeBefore)) break;
  }
  return [...found.values()];
}

/** Returns the number of pages. */
async function readAllPages(
  readPage: ReadPage,
  looksFurther: LooksFurther,
  found: Map<string, unknown>,
): Promise<number> {
  const seen = new Set<string>();
  const take = (entries: readonly unknown[]): number => {
    const before = seen.size;
    for (const entry of entries) {
      const key = keyOf(entry);
      seen.add(key);
      if (!found.has(key)) found.set(key, entry);
    }
    return seen.size - before;
  };
  const first = await readPage(undefined);
  take(first.entries);
  let { nextPage } = first;
  for (let page = 2; page <= maxPages; page++) {
    const isAnnounced = typeof nextPage === "number";
    // A platform that ignores the page announces the same one for ever.
    if (typeof nextPage === "number" && nextPage < page) return page - 1;
    if (!isAnnounced && (nextPage === null || !looksFurther(first.entries))) return page - 1;
    const next = await readPage(page).catch(isAnnounced ? endIfOutOfBounds : endIfRefused);
    if (page === 2 && !isAnnounced) looksFurther(first.entries, next.entries);
    const isNew = take(next.entries) > 0;
    // Some platforms repeat their last page for every higher page number.
    if (!isNew && !isAnnounced) return page - 1;
    nextPage = next.nextPage;
  }
  return maxPages;
}

/** One entry more or less proves nothing: somebody may have added or removed it between two pages. */
function isRepeated(first: readonly unknown[], second: readonly unknown[]): boolean {
  const keys = new Set(first.map(keyOf));
  return second.length > 0 && second.length === first.length && second.every((entry) => keys.has(keyOf(entry)));
}

/** Reads `paging_info` in the format of the command history. */
export function nextPageIn(answer: unknown): number | null | undefined {
  if (!isFields(answer) || !("paging_info" in answer)) return undefined;
  const { paging_info: paging } = answer;
  const next = isFields(paging) ? paging["next_page"] : undefined;
  return /^[1-9]\d*$/.test(String(next)) ? Number(next) : null;
}

function endIfRefused(error: unknown): ListPage {
  if (!isPlatformError(error, "rejected", "not-found") || leavesOutcomeOpen(error)) throw error;
  return { entries: [], nextPage: null };
}

/** Some platforms announce a next page on the last one too, and refuse to show it. */
function endIfOutOfBounds(error: unknown): ListPage {
  if (!isPlatformError(error) || !/out of bounds/i.test(error.message)) throw error;
  return endIfRefused(error);
}

/** By account and id if there is an id: other fields may change between two pages. */
function keyOf(entry: unknown): string {
  const { id, account_id: account }: Fields = isFields(entry) ? entry : {};
  return id === undefined || id === null ? JSON.stringify(entry) : `id ${String(id)} of ${String(account)}`;
}
