import type { z } from "zod";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import type { Operation } from "../api/operations";
import type { PathParameters } from "../api/path";
import { SharedRead } from "../api/shared-read";
import { entryOf, isEmpty, pageOf } from "./entries";
import { type ListPage, PagedList, readAnnounced } from "./paged-list";

/** Everything that a list shows. A malformed record must not hide the others, nor make its own thing count as gone. */
export class Listing<T> {
  constructor(
    private readonly operation: Operation,
    readonly records: readonly T[],
    /** Number of records that could not be read. */
    private readonly unread: number,
  ) {}

  /** Undefined only if the list certainly does not show it. */
  find(matches: (record: T) => boolean): T | undefined {
    const found = this.records.find(matches);
    if (found !== undefined || this.unread === 0) return found;
    throw new PlatformError(
      `could not ${this.operation.does}: ${this.unread} of the records in the response cannot be read, so it is unclear what is missing; run this again, and if it persists, ask the platform's support`,
      { code: "bad-answer", operation: this.operation.does },
    );
  }
}

/** The record, or whether it is gone. An empty list proves nothing where every account has some, such as system groups. */
export function foundIn<T extends object>(
  listing: Listing<T> | undefined,
  find: (listing: Listing<T>) => T | undefined,
): T | "gone" | "unknown" {
  if (!listing) return "unknown";
  return find(listing) ?? (listing.records.length === 0 ? "unknown" : "gone");
}

/** By name: a record that shows none may be the one. */
export function foundByName<T extends { readonly name?: string | null | undefined }>(
  listing: Listing<T> | undefined,
  find: (listing: Listing<T>) => T | undefined,
): T | "gone" | "unknown" {
  const found = foundIn(listing, find);
  return found === "gone" && listing?.records.some(({ name }) => !name) ? "unknown" : found;
}

/**
 * The list of an operation, under `name` in the response. Concurrent callers share one read. `hasPages`: whether its
 * manual has a parameter for pages; a platform refuses one that it does not know.
 */
export function sharedListing<T>(
  operation: Operation,
  name: string,
  schema: z.ZodType<T>,
  { hasPages }: { readonly hasPages: boolean } = { hasPages: true },
): (api: Client) => SharedRead<Listing<T>> {
  const page = pageOf(name, schema);
  const make = (api: Client): SharedRead<Listing<T>> => {
    const pages = new PagedList();
    const read = (number: number | undefined) =>
      api.call<string, z.output<typeof page>>(operation, { query: { page: number }, answer: page });
    return new SharedRead(async () => {
      // Page 1 is named: manuals disagree about what the platform returns without it.
      const entries = hasPages ? await pages.read((number = 1) => read(number)) : await readAnnounced(read);
      // Null or {} among good records hides nothing.
      const all = entries.filter((entry) => !isEmpty(entry)).map((entry) => entryOf(schema, entry));
      const records = all.filter((record) => record !== undefined);
      return new Listing(operation, records, all.length - records.length);
    });
  };
  return (api) => api.shared(make);
}

/** The list that belongs to one thing, such as the users of a group, as far as the platform announces its pages. */
export function listUnder<Template extends string>(
  api: Client,
  operation: Operation<Template>,
  path: PathParameters<Template>,
  answer: z.ZodType<ListPage>,
): Promise<unknown[]> {
  return readAnnounced((page) => api.call<Template, ListPage>(operation, { path, query: { page }, answer }));
}
