import type { Switches } from "./switches";

/** The answer to send; `json` undefined and no text means no body. */
export interface Answer {
  status: number;
  json?: unknown;
  text?: string;
  type?: string;
  headers?: Record<string, string>;
  /** Compression of this answer, where it differs from that of the others. */
  encoding?: Switches["logsEncoding"];
}

type RefusalKind = "unauthenticated" | "forbidden" | "invalid" | "missing" | "conflict";

/** A deliberate failure of the platform. `answer` is set if the specification itself shows the answer. */
export class Refusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    message: string,
    readonly answer?: Answer,
  ) {
    super(message);
  }
}

export const invalid = (message: string) => new Refusal("invalid", message);
export const missing = (message: string) => new Refusal("missing", message);
export const conflict = (message: string) => new Refusal("conflict", message);

export const ok = (json: unknown): Answer => ({ status: 200, json });

/** Throws the refusal that a switch names; any other value lets the work continue. */
export function refuseIf(value: string, message: string): void {
  if (value === "conflict") throw conflict(message);
  if (value === "invalid" || value === "refused") throw invalid(message);
  if (value === "missing") throw missing(message);
  if (value === "forbidden") throw new Refusal("forbidden", message);
}

export const page = (status: number, title: string): Answer => ({
  status,
  text: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  type: "text/html; charset=utf-8",
});

/** The answer of an operation whose response the specification does not show. */
export function unshown(form: Switches["enableAnswer"], record: unknown): Answer {
  switch (form) {
    case "empty body":
      return { status: 200 };
    case "status done":
      return ok({ status: "done" });
    case "status success":
      return ok({ status: "success" });
    case "status code object":
      return ok({ status: { status_code: 200, message: "Done" } });
    case "true":
      return ok(true);
    case "null":
      return ok(null);
    case "text OK":
      return { status: 200, text: "OK", type: "text/plain" };
    case "204":
      return { status: 204 };
    case "201 {}":
      return { status: 201, json: {} };
    case "202 accepted":
      return { status: 202, json: { status: "accepted" } };
    case "the changed record":
      return ok(record);
    case "message text":
      return ok({ message: "The request was carried out." });
    default:
      return ok({});
  }
}

function statusOf(kind: RefusalKind, switches: Switches): number {
  switch (kind) {
    case "unauthenticated":
      return Number.parseInt(switches.statusUnauthenticated, 10);
    case "forbidden":
      return Number(switches.statusForbidden);
    case "missing":
      return Number(switches.statusMissing);
    case "conflict":
      return Number(switches.statusConflict);
    default:
      return Number(switches.statusInvalid);
  }
}

export function errorAnswer(status: number, message: string, switches: Switches): Answer {
  const json = (body: unknown): Answer => ({ status, json: body });
  switch (switches.errorBody) {
    case "message":
      return json({ message });
    case "error text":
      return json({ error: message });
    case "status object":
      return json({ status: { status_code: status, message } });
    case "error_code flat":
      return json({ error_code: status, error_message: message });
    case "errors list":
      return json({ errors: [message] });
    case "HTML page":
      return page(status, `${status} ${message}`);
    case "empty":
      return { status };
    case "plain text":
      return { status, text: message, type: "text/plain" };
    case "null":
      return json(null);
    case "{}":
      return json({});
    default:
      return json({ error: { error_code: status, error_message: message } });
  }
}

/** A failure in the body of an HTTP 200 answer. */
function bodyError(status: number, message: string, switches: Switches): Answer {
  switch (switches.bodyErrorForm) {
    case "error object":
      return ok({ error: { error_code: status, error_message: message } });
    case "status error":
      return ok({ status: "error", message });
    case "status failed":
      return ok({ status: "failed", message });
    case "success false":
      return ok({ success: false, message });
    case "error text":
      return ok({ error: message });
    case "status code as text":
      return ok({ status: { status_code: String(status), message } });
    default:
      return ok({ status: { status_code: status, message } });
  }
}

export function refusalAnswer(refusal: Refusal, switches: Switches, whitelist: boolean): Answer {
  if (refusal.answer) return refusal.answer;
  const status = statusOf(refusal.kind, switches);
  if (refusal.kind === "unauthenticated" && switches.statusUnauthenticated === "302 to a login page")
    return { status: 302, headers: { location: "/login" } };
  if (refusal.kind === "unauthenticated" && switches.statusUnauthenticated === "200 login page")
    return page(200, "Log in");
  if (whitelist && switches.whitelistRefusals !== "as elsewhere") {
    const json = { status: { status_code: status, message: refusal.message } };
    return { status: switches.whitelistRefusals === "status object" ? status : 200, json };
  }
  if (switches.refusalsUnder200 === "all" || switches.refusalsUnder200 === refusal.kind)
    return bodyError(status, refusal.message, switches);
  return errorAnswer(status, refusal.message, switches);
}
