import { Importable } from "../core/importable";
import type { Session } from "./session";
import { messages } from "./stubs";
import { resourceOf } from "./tokens";

/** Of a caller that names no size. `pulumi do` shows the first page unless told otherwise. */
const defaultPageSize = 100;

/** The engine's call for what exists of a type, page by page. Older stubs do not have the message. */
export function listMethods(session: Session) {
  const Request: typeof messages.ListRequest | undefined = messages.ListRequest;
  if (!Request) return {};
  /** The last listing of each type: its next page continues where it stopped. */
  const listings = new Map<string, Importable>();
  const listingOf = (token: string, start: number): Importable => {
    const known = start > 0 ? listings.get(token) : undefined;
    const listing = known ?? new Importable(resourceOf(token), session.host(""));
    listings.set(token, listing);
    return listing;
  };
  const List = session.method(Request, async (request) => {
    const limit = request.getLimit() || Number.POSITIVE_INFINITY;
    const size = Math.min(request.getPageSize() || defaultPageSize, limit);
    const start = Number(request.getContinuationToken() || 0);
    const { items, hasMore } = await listingOf(request.getToken(), start).page(start, size);
    const responses = items.map(({ id, name = "" }) =>
      new messages.ListResponse().setResult(new messages.ListResponse.Result().setId(id).setName(name)),
    );
    if (!hasMore || items.length >= limit) return responses;
    const next = new messages.ListResponse.Continuation().setContinuationToken(String(start + items.length));
    return [...responses, new messages.ListResponse().setContinuation(next)];
  });
  return { List };
}
