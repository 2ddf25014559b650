import { z } from "zod";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import type { Operation } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import type { Log } from "../core/define";
import type { Id } from "../values/id";
import { isFields } from "../values/json";
import { entryOf, isEmpty, isMarkedDeleted, type Page, pageOf } from "./entries";
import { PagedList } from "./paged-list";

/** Everything that a list shows. A malformed record must not hide the others, nor make its own thing count as gone. */
export class Listing<T> {
  /** False if an entry could not be read or is not shown, or the response had no list. */
  readonly isComplete: boolean;

  constructor(
    private readonly operation: Operation,
    readonly records: readonly T[],
    /** Entries that could not be read, and a word for those that are announced and not shown. */
    readonly unread: readonly unknown[],
    readonly hasList = true,
  ) {
    this.isComplete = hasList && unread.length === 0;
  }

  /** Undefined only if the list certainly does not show it. */
  find(matches: (record: T) => boolean): T | undefined {
    const found = this.records.find(matches);
    if (found !== undefined || !this.#isPartial) return found;
    const message = `could not ${this.operation.does}: ${partly}, so it is unclear what is missing; ${ifPartly}`;
    throw new PlatformError(message, { code: "bad-answer" });
  }

  /** The same, with other records. */
  with(records: readonly T[]): Listing<T> {
    return new Listing(this.operation, records, this.unread, this.hasList);
  }

  /** For who wants all of them: what there is, and a warning if that is not all. */
  told(log: Log): readonly T[] {
    if (this.#isPartial) log.warn(readInPart(this.operation));
    return this.records;
  }

  /** Null or {} among good records hides nothing. */
  get #isPartial(): boolean {
    return !this.unread.every(isEmpty);
  }
}

const partly = "some of the records cannot be read, or are announced and not shown";
const ifPartly = "run this again, and if it persists, ask the platform's support";

export function readInPart({ does }: Operation): string {
  return `could ${does} only in part: ${partly}; ${ifPartly}`;
}

interface List<T> {
  readonly operation: Operation;
  readonly path?: Readonly<Record<string, Id>>;
  readonly page: z.ZodType<Page>;
  readonly entry: z.ZodType<T>;
}

/** Reads a list: by default, as far as the platform announces its pages. */
export async function readListing<T>(
  api: Client,
  { operation, path, page, entry }: List<T>,
  pages = new PagedList({ hasPages: false }),
): Promise<Listing<T>> {
  let hasList = true;
  const { entries, isWhole } = await pages.read(async (number) => {
    const read = await api.call(operation, { ...(path && { path }), query: { page: number }, answer: page });
    hasList &&= read.hasList;
    return read;
  });
  const records: T[] = [];
  const unread: unknown[] = isWhole ? [] : ["records that are announced and not shown"];
  for (const one of entries.filter((each) => !isMarkedDeleted(each))) {
    const record = entryOf(entry, one);
    if (record === undefined) unread.push(one);
    else records.push(record);
  }
  return new Listing(operation, records, unread, hasList);
}

/**
 * The list of an operation, under `name` in the response. Concurrent callers share one read. `hasPages`: whether its
 * manual has a parameter for pages; a platform refuses one that it does not know. `seen`: what else is known about the records.
 */
export function sharedListing<T>(
  operation: Operation,
  name: string,
  entry: z.ZodType<T>,
  {
    hasPages = true,
    seen = (_, records) => records,
  }: { readonly hasPages?: boolean; readonly seen?: (api: Client, records: readonly T[]) => readonly T[] } = {},
): (api: Client) => SharedRead<Listing<T>> {
  const shown = pageOf(name, entry).refine(({ hasList }) => hasList, `expected a list of ${name}`);
  // Null under the documented name is an empty list, which proves nothing gone.
  const asList = (answer: unknown) => (isFields(answer) && answer[name] === null ? { ...answer, [name]: [] } : answer);
  const page = z.preprocess(asList, shown);
  const make = (api: Client): SharedRead<Listing<T>> => {
    const pages = new PagedList({ hasPages });
    return new SharedRead(async () => {
      const listing = await readListing(api, { operation, page, entry }, pages);
      return listing.with(seen(api, listing.records));
    });
  };
  return (api) => api.shared(make);
}

/** A platform may show what is new with a delay, so what it may not have done is looked for this many times. */
export const maxLooks = 4;
/** What it has accepted is there, even if it is shown late: 14 s in all. */
const maxLooksForAccepted = 8;

/** Looks until what is seen, by default of something accepted, will do, with growing pauses. Returns what was seen last. */
export async function lookUntil<T>(
  api: Client,
  look: (looks: number) => Promise<T>,
  willDo: (seen: T) => boolean,
  most = maxLooksForAccepted,
): Promise<T> {
  for (let looks = 1; ; looks++) {
    const seen = await look(looks);
    if (willDo(seen) || looks === most) return seen;
    await api.pause(looks * 500);
  }
}
