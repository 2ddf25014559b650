import type { LoggedRequest } from "../../emulator";
import type { Redactor } from "../../provider/core/redact";

/** One request that production would receive. */
export type Call = Pick<LoggedRequest, "operation" | "method" | "path" | "body" | "status" | "fault">;

/**
 * The requests as they are reported: the emulator has masked what is secret by its name, and this masks by value.
 * `hidden`: why bodies are not shown at all, if they are not.
 */
export function callsOf(requests: readonly LoggedRequest[], redact: Redactor, hidden: string | undefined): Call[] {
  return requests.map(({ operation, method, path, body, status, fault }) => ({
    operation,
    method,
    path: hidden === undefined ? redact(path) : withoutNames(path),
    body: body === null || hidden === undefined ? redacted(body, redact) : hidden,
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

/** Every text in it, however deep. */
function redacted(value: unknown, redact: Redactor): unknown {
  return JSON.parse(JSON.stringify(value), (_, inner) => (typeof inner === "string" ? redact(inner) : inner));
}
