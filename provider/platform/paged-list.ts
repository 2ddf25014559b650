import { isPlatformError, leavesOutcomeOpen } from "../api/errors";
import { type Fields, isFields } from "../values/json";

/** A page, and what it says about the others. */
export interface ListPage {
  readonly entries: readonly unknown[];
  /** Null if the platform says that this is the last page, undefined if it says nothing about pages. */
  readonly nextPage: number | null | undefined;
  /** How many entries there are on all pages, if only that tells of others. Infinite if a next page cannot be asked for. */
  readonly total?: number | undefined;
}

/** More pages than any account fills, so that a server that repeats its pages cannot keep us reading forever. */
const maxPages = 10_000;
const maxPasses = 6;

type ReadPage = (page: number | undefined) => Promise<ListPage>;

/**
 * A list that has pages according to its manual, and whose end may not be announced. A platform that ignores the page
 * repeats its list, which is remembered once per client: it then has no pages. `hasPages`: false without a parameter for
 * pages in the manual. Then there are further pages only where the platform names them.
 */
export class PagedList {
  /** Page 1 is named: manuals disagree about what the platform returns without it. */
  readonly #firstPage: 1 | undefined;
  #hasPages: boolean;

  constructor({ hasPages }: { readonly hasPages: boolean }) {
    this.#firstPage = hasPages ? 1 : undefined;
    this.#hasPages = hasPages;
  }

  /** `isWhole`: false if the platform tells of more than it has shown. */
  async read(readPage: ReadPage): Promise<{ readonly entries: unknown[]; readonly isWhole: boolean }> {
    const found = new Map<string, unknown>();
    let isWhole = false;
    for (let pass = 0; pass < maxPasses; pass++) {
      const sizeBefore = found.size;
      const read = await this.#readAllPages(readPage, found);
      isWhole ||= read.isWhole;
      // An entry is missed if the order changes between two pages, so read again until nothing new turns up.
      if (read.pages === 1 || (pass > 0 && found.size === sizeBefore)) break;
    }
    return { entries: [...found.values()], isWhole };
  }

  async #readAllPages(readPage: ReadPage, found: Map<string, unknown>) {
    const seen = new Set<string>();
    /** Returns how many of them no earlier page has shown. */
    const take = (entries: readonly unknown[]): number => {
      const fresh = entries.filter((entry) => !seen.has(keyOf(entry)));
      for (const entry of fresh) {
        const key = keyOf(entry);
        seen.add(key);
        if (!found.has(key)) found.set(key, entry);
      }
      return fresh.length;
    };
    const first = await readPage(this.#firstPage);
    let last = first;
    let rows = take(first.entries);
    let isRepeating = false;
    let page = 2;
    for (; page <= maxPages; page++) {
      const { nextPage } = last;
      const isAnnounced = typeof nextPage === "number";
      // A platform that ignores the page announces the same one for ever.
      if (isAnnounced && nextPage < page) break;
      if (!isAnnounced && (nextPage === null || !this.#hasPages || first.entries.length === 0)) break;
      const next = await readPage(page).catch(isAnnounced ? endIfOutOfBounds : endIfRefused);
      if (page === 2 && !isAnnounced) this.#hasPages = !isRepeated(first.entries, next.entries);
      const fresh = take(next.entries);
      // Some platforms repeat their last page for every higher page number.
      if (fresh === 0 && !isAnnounced) break;
      rows += fresh;
      isRepeating = fresh === 0;
      last = next;
    }
    const isPromised = isRepeating && typeof last.nextPage === "number";
    return { pages: page - 1, isWhole: !isPromised && rows >= (last.total ?? 0) };
  }
}

/** One entry more or less proves nothing: somebody may have added or removed it between two pages. */
function isRepeated(first: readonly unknown[], second: readonly unknown[]): boolean {
  const keys = new Set(first.map(keyOf));
  return second.length > 0 && second.length === first.length && second.every((entry) => keys.has(keyOf(entry)));
}

const named = {
  /** Where else than in the answer itself a platform may speak of pages. */
  place: /^(paging_?info|pagination|paging|meta|_?links|data)$/i,
  next: /^(next(_?page)?(_?url|_?link)?|has_?(more|next))$/i,
  current: /^(current_?page|page)$/i,
  pages: /^(total_?pages|pages|last_?page)$/i,
  total: /^(total|total_?count|total_?entries|count)$/i,
};

/**
 * What an answer says about pages. Only the command history has a documented form, `paging_info`; the others are in
 * docs/open-points.md. An end that is told counts more than a total, which may count something else.
 */
export function pagingIn(answer: unknown): Omit<ListPage, "entries"> {
  const told = placesIn(answer).flatMap((place) => Object.entries(place));
  const numbers = (name: RegExp) => told.flatMap(([one, value]) => (name.test(one) ? (numberIn(value) ?? []) : []));
  const nexts = told.flatMap(([name, value]) => (named.next.test(name) ? [nextIn(value)] : []));
  const [current] = numbers(named.current);
  const [pages] = numbers(named.pages);
  if (current !== undefined && pages !== undefined) nexts.push(current < pages ? current + 1 : null);
  const next = nexts.find((one) => Number.isFinite(one));
  if (next !== undefined) return { nextPage: next };
  if (nexts.includes(unclear)) return { nextPage: undefined, total: unclear };
  if (nexts.length > 0) return { nextPage: null };
  const isEnd = isFields(answer) && "paging_info" in answer;
  return { nextPage: isEnd ? null : undefined, total: Math.max(0, ...numbers(named.total)) };
}

/** There is more, and nothing says how to ask for it. */
const unclear = Number.POSITIVE_INFINITY;

function placesIn(answer: unknown): Fields[] {
  if (!isFields(answer)) return [];
  const inner = Object.entries(answer).filter(([name]) => named.place.test(name));
  return [answer, ...inner.flatMap(([, value]) => placesIn(value))];
}

/** The number of a page, bare or in a link; null for the end. */
function nextIn(told: unknown): number | null {
  const next = String((isFields(told) ? told["href"] : told) ?? "");
  if (/^(0|null|false|none)?$/i.test(next)) return null;
  return numberIn(next) ?? numberIn(/[?&]page=([^&#]*)/.exec(next)?.[1]) ?? unclear;
}

function numberIn(value: unknown): number | undefined {
  return /^[1-9]\d*$/.test(String(value)) ? Number(value) : undefined;
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
