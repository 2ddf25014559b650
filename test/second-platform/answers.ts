import type { Switches } from "./switches";

/** The answer to send; `json` undefined and no text means no body. */
export interface Answer {
  status: number;
  json?: unknown;
  text?: string;
  type?: string;
  headers?: Record<string, string>;
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
  if (value === "invalid") throw invalid(message);
}

export const page = (status: number, title: string): Answer => ({
  status,
  text: `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  type: "text/html; charset=utf-8",
});

/** The answer of an operation whose response the specification does not show. */
export function unshown(form: Switches["unshownAnswer"], record: unknown): Answer {
  return {
    "{}": ok({}),
    "empty body": { status: 200 },
    "status done": ok({ status: "done" }),
    "status success": ok({ status: "success" }),
    "status code object": ok({ status: { status_code: 200, message: "Done" } }),
    true: ok(true),
    null: ok(null),
    "text OK": { status: 200, text: "OK", type: "text/plain" },
    "204": { status: 204 },
    "201 {}": { status: 201, json: {} },
    "202 accepted": { status: 202, json: { status: "accepted" } },
    "the changed record": ok(record),
    "message text": ok({ message: "The request was carried out." }),
  }[form];
}

function statusOf(kind: RefusalKind, switches: Switches): number {
  return {
    invalid: Number(switches.statusInvalid),
    unauthenticated: Number.parseInt(switches.statusUnauthenticated, 10),
    forbidden: 403,
    missing: Number(switches.statusMissing),
    conflict: 409,
  }[kind];
}

export function errorAnswer(status: number, message: string, switches: Switches): Answer {
  const json = (body: unknown): Answer => ({ status, json: body });
  return {
    "error object": json({ error: { error_code: status, error_message: message } }),
    message: json({ message }),
    "error_code flat": json({ error_code: status, error_message: message }),
    "HTML page": page(status, `${status} ${message}`),
  }[switches.errorBody];
}

export function refusalAnswer(refusal: Refusal, switches: Switches, whitelist: boolean): Answer {
  if (refusal.answer) return refusal.answer;
  const status = statusOf(refusal.kind, switches);
  if (refusal.kind === "unauthenticated" && switches.statusUnauthenticated === "200 login page")
    return page(200, "Log in");
  const isUnder200 =
    (whitelist && switches.whitelistRefusals === "status object under 200") ||
    switches.refusalsUnder200 === "all" ||
    switches.refusalsUnder200 === refusal.kind;
  return isUnder200
    ? ok({ status: { status_code: status, message: refusal.message } })
    : errorAnswer(status, refusal.message, switches);
}
