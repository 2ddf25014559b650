import type { LoggedRequest } from "../../emulator";
import type { Redactor } from "../../provider/core/redact";

/** One request that production would receive. */
export interface Call {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Null if the connection was reset. */
  readonly status: number | null;
  readonly fault?: string;
}

export interface CallOptions {
  readonly redact: Redactor;
  /** Why bodies are not shown at all, if they are not. */
  readonly hidden: string | undefined;
}

/** The requests as they are reported: the emulator has masked what is secret by its name, and this masks by value. */
export function callsOf(requests: readonly LoggedRequest[], { redact, hidden }: CallOptions): Call[] {
  return requests.map(({ operation, method, path, body, status, fault }) => ({
    operation,
    method,
    path: hidden === undefined ? redact(path) : withoutNames(path),
    body: body === null ? null : hidden === undefined ? redacted(body, redact) : hidden,
    status,
    ...(fault !== undefined && { fault }),
  }));
}

/** `/api/v1.2/groups/…`: what follows may name something secret, such as a role. */
function withoutNames(path: string): string {
  const [route = ""] = path.split("?", 1);
  const start = route.split("/").slice(0, 4).join("/");
  return start === path ? path : `${start}/…`;
}

function redacted(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner, redact)]));
}
