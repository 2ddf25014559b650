/** The building blocks of the catalogue of calls. */

export type Method = "GET" | "POST" | "PUT" | "DELETE" | "HEAD" | "OPTIONS" | "PATCH";

/** Whose token a call uses: a user of the seed, nobody, or a user with one role that has exactly these permissions. */
export type Caller =
  | "admin"
  | "systemUser"
  | "powerless"
  | "analyst"
  | "disabled"
  | "pending"
  | "owner"
  | "folderManager"
  | "otherAccount"
  | "no token"
  | "an empty token"
  | "an unknown token"
  /** The token returned by the group's first call. */
  | "the new account"
  | { readonly permissions: readonly string[] };

export interface Call {
  readonly method: Method;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent verbatim, instead of a JSON body. */
  readonly text?: string;
  readonly as?: Caller;
  /** Overrides the default headers; undefined removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Headers of the answer that are compared too. */
  readonly compareHeaders?: readonly string[];
  /** Seconds to advance both platforms before the call. */
  readonly after?: number;
}

/** Consecutive calls, starting from the seed. */
export interface Group {
  readonly name: string;
  readonly calls: readonly Call[];
}

export interface Operation {
  readonly name: string;
  readonly method: Method;
  /** As the specification prints it, with ids of the seed. */
  readonly path: string;
  /** The permission of part 5 that a role must have. */
  readonly permission: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A request that both platforms accept. */
  readonly good?: Readonly<Record<string, unknown>>;
}

export const callOf = ({ method, path, query, good }: Operation, changes: Partial<Call> = {}): Call => ({
  method,
  path,
  ...(query && { query }),
  ...(good && { body: good }),
  ...changes,
});

/** One single-call group per body. */
export function bodies(operation: Operation, named: Readonly<Record<string, unknown>>, as: Caller = "admin"): Group[] {
  return Object.entries(named).map(([name, body]) => ({
    name: `${operation.name}/${name}`,
    calls: [callOf(operation, { body, as })],
  }));
}

/** The same for queries of an operation that takes no body. */
export function queries(
  operation: Operation,
  named: Readonly<Record<string, Readonly<Record<string, string>>>>,
  as: Caller = "admin",
): Group[] {
  return Object.entries(named).map(([name, query]) => ({
    name: `${operation.name}/${name}`,
    calls: [callOf(operation, { query, as })],
  }));
}

export const group = (name: string, ...calls: readonly Call[]): Group => ({ name, calls });

/** The name of a call in the list of differences. */
export const callName = ({ name, calls }: Group, index: number): string =>
  calls.length === 1 ? name : `${name} (${index + 1})`;

/** Every parameter missing, null, empty and of other types, with all others valid. */
export function parameterFaults(
  operation: Operation,
  parameters: Readonly<Record<string, unknown>>,
  within?: string,
): Group[] {
  const outer = operation.good ?? {};
  const good = within === undefined ? outer : (outer[within] as Readonly<Record<string, unknown>>);
  const wrapped = (body: unknown) => (within === undefined ? body : { ...outer, [within]: body });
  return Object.entries(parameters).flatMap(([name, value]) => {
    const { [name]: _, ...without } = good;
    const wrong: Record<string, unknown> = {
      ...(name in good && { omitted: without, null: { ...good, [name]: null } }),
    };
    for (const [kind, other] of Object.entries(otherTypes(value))) wrong[kind] = { ...good, [name]: other };
    return Object.entries(wrong).map(([kind, body]) => ({
      name: `${operation.name}/${name} ${kind}`,
      calls: [callOf(operation, { body: wrapped(body) })],
    }));
  });
}

function otherTypes(value: unknown): Record<string, unknown> {
  if (typeof value === "string") return { empty: "", "a number": 7 };
  if (typeof value === "number") return { "as text": String(value), "a fraction": value + 0.5, negative: -1, zero: 0 };
  if (typeof value === "boolean") return { "as text": String(value), "a number": 1 };
  return { "as text": JSON.stringify(value), "an empty list": [], "an object": {} };
}
