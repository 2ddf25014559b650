import { deflateSync, gzipSync } from "node:zlib";
import type { Operation } from "./operation";
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

const idNames = new Set(["id", "account_id", "user_id", "uid"]);
const shownCreations = /^(whitelist\.add|commands\.submit|dataStores\.create|accounts\.create)/;

type Json = Record<string, unknown>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function idAs(switches: Switches, value: number, inList: boolean): unknown {
  if (switches.ids === "text" || (switches.ids === "text inside lists" && inList)) return String(value);
  return switches.ids === "text when odd" && value % 2 === 1 ? String(value) : value;
}

/** Gives the ids and empty fields of an answer the form that the switches ask for. */
function reshape(switches: Switches, value: unknown, inList = false): unknown {
  if (Array.isArray(value)) return value.map((item) => reshape(switches, item, true));
  if (!isRecord(value)) return value;
  const shaped: Json = {};
  for (const [name, field] of Object.entries(value)) {
    if (field === null && switches.nullFields === "absent") continue;
    if (field === null && switches.nullFields === "empty text") shaped[name] = "";
    else if (typeof field === "number" && idNames.has(name)) shaped[name] = idAs(switches, field, inList);
    else shaped[name] = reshape(switches, field, inList);
  }
  return "id" in value ? { ...shaped, ...extra(switches) } : shaped;
}

function extra(switches: Switches): Json {
  if (switches.extraFields === "in records") return { resource_version: 7, labels: { team: null }, flags: [] };
  if (switches.extraFields === "names of other fields nested")
    return {
      parent: { id: 999_999, status: "error", email: "trap@example.com", ip_cidr: "192.0.2.250", tags: ["trap"] },
    };
  return {};
}

/** Applies the switches that affect successful answers of every operation. */
export function decorate(switches: Switches, operation: Operation, plain: Answer): Answer {
  let answer = plain;
  if (answer.json === undefined) return answer;
  const refresh = isRecord(answer.json) && answer.json["template"] === "s3import";
  if (answer.status === 200 && shownCreations.test(operation.name) && !refresh && switches.successStatus !== "200")
    answer = { ...answer, status: Number.parseInt(switches.successStatus, 10) };
  let json = reshape(switches, answer.json);
  if (operation.deprecated && switches.deprecation === "field in the body" && isRecord(json))
    json = { ...json, warning: "to be deprecated" };
  if (switches.extraFields === "in the envelope" && isRecord(json))
    json = { request_id: "5f2c", server: { node: 3, id: 999_999 }, links: [], ...json };
  return { ...answer, json };
}

/** An answer as sent over the wire. */
export interface Wire {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

function jsonText(switches: Switches, value: unknown): string {
  const text = JSON.stringify(value);
  if (switches.ids !== "numbers with fraction zero") return text;
  return text.replace(/"(id|account_id|user_id|uid)":(\d+)(?=[,}])/g, '"$1":$2.0');
}

function compress(
  way: Switches["contentEncoding"],
  body: Buffer,
  accepted: string,
): { body: Buffer; encoding?: string } {
  if (body.length === 0 || way === "none") return { body };
  if (way === "deflate when accepted")
    return accepted.includes("deflate") ? { body: deflateSync(body), encoding: "deflate" } : { body };
  if (way === "gzip always" || accepted.includes("gzip")) return { body: gzipSync(body), encoding: "gzip" };
  return { body };
}

export function encode(switches: Switches, answer: Answer, acceptEncoding: string): Wire {
  const headers: Record<string, string> = { ...answer.headers };
  let text = answer.text ?? "";
  if (answer.type !== undefined) headers["content-type"] = answer.type;
  if (answer.json !== undefined) {
    text = (switches.byteOrderMark === "yes" ? "\uFEFF" : "") + jsonText(switches, answer.json);
    if (switches.contentType !== "absent") headers["content-type"] = switches.contentType;
  }
  const { body, encoding } = compress(switches.contentEncoding, Buffer.from(text, "utf8"), acceptEncoding);
  if (encoding) headers["content-encoding"] = encoding;
  if (switches.connection === "close after each answer") headers["connection"] = "close";
  return { status: answer.status, headers, body };
}
