import type { IncomingHttpHeaders } from "node:http";
import { refusalAnswer, successAnswer } from "./answer-forms";
import { authenticate, permitted, refusal } from "./auth";
import type { Clock } from "./clock";
import { ApiError, badRequest, notFound } from "./errors";
import { extendedRoutes } from "./extended";
import { chosenRoutes, type ExtendedChoice } from "./profile";
import type { ReadingSwitches } from "./readings";
import type { Answer } from "./respond";
import { type Context, type Match, parseParams, type Route, Router } from "./router";
import { routes } from "./routes";
import type { Store } from "./store";

interface ApiRequest {
  headers: IncomingHttpHeaders;
  query: URLSearchParams;
  body: Buffer;
}

/** The operations themselves, without HTTP, faults and logging. */
export class Api {
  readonly routes: readonly Route[];
  readonly #router: Router<Route>;
  readonly #elsewhere = new Router(extendedRoutes);

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly readings: ReadingSwitches,
    extended?: ExtendedChoice,
  ) {
    this.routes = replaced(routes, chosenRoutes(extended));
    this.#router = new Router(this.routes);
  }

  match(method: string, pathname: string): Match<Route> {
    const match = this.#find(method, pathname);
    if (!(match.route.existsAt?.(pathname, this.readings.values) ?? true)) throw notFound(`there is no ${pathname}`);
    return match;
  }

  /** Checks token, permission, body and rules, in this order, then does the work; the first failure is the answer. */
  perform({ route, path }: Match<Route>, request: ApiRequest): Answer {
    const readings = this.readings.values;
    const { account, user } = authenticate(this.store, request.headers["x-auth-token"]);
    const context: Context = { store: this.store, clock: this.clock, account, user, readings };
    if (!permitted(this.store, account, user, route.access) && !this.#mayAlso(route, context, request))
      throw refusal(route.operation, route.access);
    const params = parseParams(route, request.query, parseBody(request), readings);
    return successAnswer(route, route.handle(context, params, path), readings);
  }

  refuse(error: ApiError, operation: string): Answer {
    return refusalAnswer(error, operation, this.readings.values);
  }

  /** Whether to compress the answer for a client that accepts these encodings. */
  compresses(acceptEncoding: string | string[] | undefined): boolean {
    const { compression } = this.readings.values;
    return compression === "gzip-always" || (compression === "gzip" && /\bgzip\b/i.test(String(acceptEncoding ?? "")));
  }

  /** An operation that only other installations have is 404, even where the path has another method. */
  #find(method: string, pathname: string): Match<Route> {
    try {
      return this.#router.match(method, pathname);
    } catch (error) {
      if (error instanceof ApiError && error.status === 405 && this.#existsElsewhere(method, pathname))
        throw notFound(`there is no ${method} ${pathname}`);
      throw error;
    }
  }

  #existsElsewhere(method: string, pathname: string): boolean {
    try {
      this.#elsewhere.match(method, pathname);
      return true;
    } catch {
      return false;
    }
  }

  #mayAlso(route: Route, context: Context, request: ApiRequest): boolean {
    if (!route.mayAlso) return false;
    try {
      return route.mayAlso(context, parseParams(route, request.query, parseBody(request), context.readings));
    } catch {
      return false;
    }
  }
}

/** An extended operation takes the place of the specified one of the same name. */
function replaced(specified: readonly Route[], extended: readonly Route[]): Route[] {
  const kept = specified.filter(({ operation }) => !extended.some((other) => other.operation === operation));
  return [...kept, ...extended];
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
