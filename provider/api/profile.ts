import { readFileSync, statSync } from "node:fs";
import { z } from "zod";
import { extendedOperations } from "./extended-operations";
import { type Operation, operations } from "./operations";

/** How an installation wants a request, where that differs from the specification. */
const form = z.strictObject({
  path: z
    .string()
    .regex(/^\/api\//, "must begin with /api/")
    .optional()
    .describe("Another path, with the same parameters in braces."),
  parameters: z.enum(["body", "query"]).optional().describe("Where the parameters go."),
  under: z.string().min(1).optional().describe("The object in the body that holds the parameters."),
  with: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe("Parameters to add where the request has none of that name."),
});
type Form = z.output<typeof form>;

/** A file of `dataplatform conform --profile-out` holds more, for the emulator. */
const document = z.looseObject({ requests: z.record(z.string(), z.union([z.literal("lacking"), form])).optional() });

/** No installation differs in so much, and what guards a pipeline reads every changed file up to this size. */
export const mostProfileBytes = 1_000_000;

interface Request {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

/**
 * What is known about an installation and cannot be learned by reading: how it wants its requests, and what it lacks.
 * Requests are named by method and path, as in the list of operations: `PUT /api/v1.2/account`.
 */
export class Profile {
  readonly #requests: ReadonlyMap<string, Form | "lacking">;

  private constructor(requests: ReadonlyMap<string, Form | "lacking">) {
    this.#requests = requests;
  }

  /** Throws an error that says what is wrong with the file. */
  static read(file: string): Profile {
    if (statSync(file).size > mostProfileBytes) throw new Error(`it is larger than ${mostProfileBytes} bytes`);
    const { data, error } = document.safeParse(JSON.parse(readFileSync(file, "utf8")));
    if (error) throw new Error(z.prettifyError(error).replaceAll("\n", " "));
    const requests = new Map(Object.entries(data.requests ?? {}));
    const known = [...Object.values(operations), ...Object.values(extendedOperations)].map(nameOf);
    const unknown = [...requests.keys()].filter((name) => !known.includes(name));
    if (unknown.length > 0)
      throw new Error(
        `there is no request ${unknown.join(", ")}; docs/operations.md lists them, such as ${nameOf(operations.viewAccount)}`,
      );
    for (const [name, request] of requests)
      if (request !== "lacking" && request.path && placeholders(request.path) !== placeholders(name))
        throw new Error(`the path for ${name} must have the same parameters: ${placeholders(name) || "none"}`);
    return new Profile(requests);
  }

  lacks(operation: Operation): boolean {
    return this.#requests.get(nameOf(operation)) === "lacking";
  }

  pathOf(operation: Operation): string {
    return this.#formOf(operation).path ?? operation.path;
  }

  /** The request as this installation wants it. */
  written<R extends Request>(operation: Operation, request: R): Request {
    const { parameters, under, with: more } = this.#formOf(operation);
    if (!parameters && under === undefined && !more) return request;
    const { query = {}, body } = request;
    const fields = { ...(body as object | undefined) };
    const place = parameters ?? (body === undefined && operation.method === "GET" ? "query" : "body");
    if (place === "query") return { query: { ...more, ...query, ...fields } };
    const all = { ...more, ...(parameters ? query : {}), ...fields };
    return { query: parameters ? {} : query, body: under === undefined ? all : { [under]: all } };
  }

  #formOf(operation: Operation): Form {
    const found = this.#requests.get(nameOf(operation));
    return found === undefined || found === "lacking" ? {} : found;
  }
}

/** In their order: a path that leaves one out, or swaps two, would be about another thing. */
const placeholders = (path: string): string => (path.match(/\{\w+\}/g) ?? []).join(" ");

/** Whether a text that changed can be a profile: then other requests are sent than the program says. */
export function mayBeProfile(text: string): boolean {
  try {
    const { data } = document.safeParse(JSON.parse(text));
    return Object.keys(data?.requests ?? {}).length > 0;
  } catch {
    return false;
  }
}

export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
