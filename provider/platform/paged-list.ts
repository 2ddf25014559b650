import { isPlatformError, leavesOutcomeOpen } from "../api/errors";

export interface ListPage {
  readonly entries: readonly unknown[];
  /** The page after it; null when the platform says that there is none, undefined when it says nothing about pages. */
  readonly nextPage: number | null | undefined;
}

/** More pages than any account fills; a server that counts in circles must not keep us. */
const mostPages = 10_000;

/**
 * A list that the manual shows whole. A platform may cut it all the same, with or without saying so, and what stands on
 * a further page must not be taken for gone. So where nothing is said about pages, the second one is asked for, once
 * in the life of a client: a platform without pages shows the same again, nothing, or a refusal.
 */
export class PagedList {
  #isCut: boolean | undefined;

  async read(readPage: (page: number | undefined) => Promise<ListPage>): Promise<unknown[]> {
    const first = await readPage(undefined);
    const all = [...first.entries];
    const seen = new Set(all.map(keyOf));
    let { nextPage } = first;
    for (let page = 2; page <= mostPages; page++) {
      const isSaid = typeof nextPage === "number";
      if (!isSaid && (nextPage === null || this.#isCut === false || first.entries.length === 0)) return all;
      const next = await (isSaid ? readPage(page) : readPage(page).catch(endIfRefused));
      const fresh = next.entries.filter((entry) => !seen.has(keyOf(entry)));
      if (!isSaid && page === 2) this.#isCut = next.entries.length > 0 && fresh.length === next.entries.length;
      if (fresh.length === 0) return all;
      all.push(...fresh);
      for (const entry of fresh) seen.add(keyOf(entry));
      nextPage = next.nextPage;
    }
    return all;
  }
}

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

/** By the id where there is one: what else is shown of an entry may change between two pages. */
function keyOf(entry: unknown): string {
  const id = typeof entry === "object" && entry !== null ? (entry as { id?: unknown }).id : undefined;
  return id === undefined || id === null ? JSON.stringify(entry) : `id ${String(id)}`;
}
