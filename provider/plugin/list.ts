import { PlatformError } from "../api/errors";
import { Listing } from "../core/listing";
import { definitionOf } from "../resources/load";
import { tokenPrefix } from "./resources";
import type { Session } from "./session";
import { messages } from "./stubs";

type ListRequest = InstanceType<typeof messages.ListRequest>;
type ListResponse = InstanceType<typeof messages.ListResponse>;

/** Of a caller that names no size. `pulumi do` shows the first page unless told otherwise. */
const defaultPageSize = 100;

/** The engine's call for what exists of a type, page by page. */
export class ListCalls {
  readonly #session: Session;
  /** The last listing of each type: its next page continues where it stopped. */
  readonly #listings = new Map<string, Listing>();

  constructor(session: Session) {
    this.#session = session;
  }

  async list(request: ListRequest): Promise<ListResponse[]> {
    const limit = request.getLimit() || Number.POSITIVE_INFINITY;
    const size = Math.min(request.getPageSize() || defaultPageSize, limit);
    const start = Number(request.getContinuationToken() || 0);
    const { items, hasMore } = await this.#listing(request.getToken(), start).page(start, size);
    const responses = items.map(({ id, name = "" }) => {
      const result = new messages.ListResponse.Result();
      result.setId(id);
      result.setName(name);
      return new messages.ListResponse().setResult(result);
    });
    if (!hasMore || items.length >= limit) return responses;
    const continuation = new messages.ListResponse.Continuation();
    continuation.setContinuationToken(String(start + items.length));
    return [...responses, new messages.ListResponse().setContinuation(continuation)];
  }

  #listing(token: string, start: number): Listing {
    const known = this.#listings.get(token);
    if (known && start > 0) return known;
    const definition = definitionOf(token.startsWith(tokenPrefix) ? token.slice(tokenPrefix.length) : "");
    if (!definition) throw new PlatformError(`unknown resource type ${JSON.stringify(token)}`, { code: "rejected" });
    const listing = new Listing(definition, this.#session.host(""));
    this.#listings.set(token, listing);
    return listing;
  }
}
