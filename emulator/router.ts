import { z } from "zod";
import type { AccessRow } from "./auth";
import type { Clock } from "./clock";
import { ApiError, badRequest, invalid, notFound } from "./errors";
import type { Readings } from "./readings";
import type { Account, User } from "./records";
import type { Store } from "./store";

export interface Context {
  store: Store;
  clock: Clock;
  account: Account;
  user: User;
  /** How to interpret the specification where it is ambiguous. */
  readings: Readings;
}

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** One operation of the API: name, paths, access, parameters, handler. */
interface RouteDefinition<P> {
  operation: string;
  summary: string;
  method: Method;
  /** Without a trailing slash (both forms are served); `:name` is a path parameter. */
  paths: readonly string[];
  access: AccessRow;
  /** Where the parameters come from, if there are any. Default: the query of a GET, and the body of anything else. */
  from?: From;
  params?: z.ZodType<P>;
  /** For a union in `params`: picks the member for a request, so that errors are precise. */
  choose?: (given: Record<string, unknown>, readings: Readings) => z.ZodType<P>;
  answer: z.ZodType;
  /** Set if the answer is text instead of JSON. */
  textAnswer?: true;
  /** Set if the specification does not show the answer, so that any form is valid. */
  answerNotShown?: true;
  /** Which of the paths exist, where the specification leaves that open. */
  existsAt?: (pathname: string, readings: Readings) => boolean;
  mayAlso?: (context: Context, params: P) => boolean;
  handle(context: Context, params: P, path: Record<string, string>): unknown;
}

type From = "none" | "query" | "body" | "query-or-body";

export interface Route<P = unknown> extends RouteDefinition<P> {
  from: From;
  params: z.ZodType<P>;
}

export function defineRoute<P>(route: RouteDefinition<P>): Route {
  const from = route.params === undefined ? "none" : route.method === "GET" ? "query" : "body";
  return { from, params: z.object({}), ...route } as unknown as Route;
}

export interface Match<R> {
  route: R;
  path: Record<string, string>;
}

interface Entry<R> {
  route: R;
  method: string;
  segments: string[];
}

/** Finds routes by method and path. With few routes and short paths, a linear scan is fast enough. */
export class Router<R extends { method: string; paths: readonly string[] }> {
  readonly #entries: Entry<R>[];

  constructor(routes: readonly R[]) {
    this.#entries = routes.flatMap((route) =>
      route.paths.map((path) => ({ route, method: route.method, segments: path.split("/") })),
    );
  }

  describe(): string[] {
    return this.#entries.map(({ method, segments }) => `${method} ${segments.join("/")}`);
  }

  match(method: string, pathname: string): Match<R> {
    const segments = (pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname).split("/");
    const allowed = new Set<string>();
    for (const entry of this.#entries) {
      const path = matchSegments(entry.segments, segments);
      if (!path) continue;
      if (entry.method === method) return { route: entry.route, path };
      allowed.add(entry.method);
    }
    if (allowed.size === 0) throw notFound(`there is no ${pathname}`);
    const list = [...allowed].join(", ");
    throw new ApiError(405, `${pathname} does not support ${method}: use ${list}`, { allow: list });
  }
}

function matchSegments(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] as string;
    if (expected.startsWith(":")) {
      if (actual === "") return undefined;
      path[expected.slice(1)] = decode(actual);
    } else if (expected !== actual) return undefined;
  }
  return path;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest("the path is not valid percent-encoding");
  }
}

const belongs = {
  none: "this operation has no such parameter",
  query: "parameters of this operation belong in the query",
  body: "parameters of this operation belong in the body",
  "query-or-body": "",
} as const;

/** Collects the parameters of a request and validates them with the route's schema. */
export function parseParams<P>(route: Route<P>, query: URLSearchParams, body: unknown, readings: Readings): P {
  if (body !== undefined && (typeof body !== "object" || body === null || Array.isArray(body)))
    throw badRequest("the body must be a JSON object");
  const [readsQuery, readsBody] = [route.from.startsWith("query"), route.from.endsWith("body")];
  const unread = [...(readsQuery ? [] : query.keys()), ...(readsBody ? [] : Object.keys(body ?? {}))];
  if (unread.length > 0) throw invalid(`${unread.join(", ")}: ${belongs[route.from]}`);
  const fromQuery = readsQuery ? readQuery(query, route.params) : {};
  const given = { ...fromQuery, ...(readsBody ? (body as object | undefined) : undefined) };
  return validate(route.choose?.(given, readings) ?? route.params, given);
}

/** Texts, and what the schema says is a number or a boolean. */
function readQuery(query: URLSearchParams, schema: z.ZodType): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const { properties = {} } = query.size > 0 ? z.toJSONSchema(schema, { io: "input" }) : {};
  for (const [name, text] of query) {
    const { type } = { ...(properties[name] as { type?: string } | undefined) };
    if (type === "integer" && /^-?\d+$/.test(text)) values[name] = Number(text);
    // Clients in Python write True.
    else if (type === "boolean" && /^(true|false)$/i.test(text)) values[name] = /^true$/i.test(text);
    else values[name] = text;
  }
  return values;
}

export function validate<P>(schema: z.ZodType<P>, value: unknown): P {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const messages = result.error.issues.map((issue) =>
    issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message,
  );
  throw invalid(messages.join("; "));
}
