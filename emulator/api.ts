import type { IncomingHttpHeaders } from "node:http";
import { authenticate, permitted, refusal } from "./auth.js";
import type { Clock } from "./clock.js";
import { badRequest } from "./errors.js";
import { type Context, type Match, parseParams, type Route, Router } from "./router.js";
import { routes } from "./routes/index.js";
import type { Store } from "./store.js";

export interface ApiRequest {
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Buffer;
}

/** The operations themselves, without HTTP, faults and log around them. */
export class Api {
  readonly #router = new Router(routes);

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  match(method: string, pathname: string): Match<Route> {
    return this.#router.match(method, pathname);
  }

  /** Token, permission, form of the body, rules, work: in this order, and the first that fails answers. */
  perform({ route, path }: Match<Route>, request: ApiRequest): unknown {
    const { account, user } = authenticate(this.store, request.headers["x-auth-token"]);
    const context: Context = { store: this.store, clock: this.clock, account, user };
    if (!permitted(this.store, account, user, route.access) && !this.#mayAlso(route, context, request))
      throw refusal(route.operation, route.access);
    const params = parseParams(route, request.query, parseBody(request));
    return route.handle(context, params, path);
  }

  #mayAlso(route: Route, context: Context, request: ApiRequest): boolean {
    if (!route.mayAlso) return false;
    try {
      return route.mayAlso(context, parseParams(route, request.query, parseBody(request)));
    } catch {
      return false;
    }
  }
}

export function parseBody({ headers, body }: Pick<ApiRequest, "headers" | "body">): unknown {
  if (body.length === 0) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    throw badRequest("a body needs the header Content-Type: application/json");
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw badRequest("the body is not valid JSON");
  }
}
