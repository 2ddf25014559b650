import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { ApiError } from "./errors";
import type { FaultRule } from "./faults";

const json = "application/json; charset=utf-8";
const page =
  "<!DOCTYPE html><html><head><title>Service</title></head><body><h1>Please try again later</h1></body></html>";

/** The answer of an operation. */
export interface Answer {
  status: number;
  /** Undefined for no body. */
  body: unknown;
  headers?: Record<string, string>;
  /** Sent verbatim instead of the body as JSON. */
  text?: string;
}

/** What a handler returns to send this answer as it is, instead of a body as JSON with status 200. */
export class PlainAnswer {
  constructor(readonly answer: Answer) {}
}

export const textAnswer = (text: string, headers: Record<string, string> = {}) =>
  new PlainAnswer({
    status: 200,
    body: text,
    text,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  });

/** The HTTP response to send. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** Sends half of the text, then closes the connection. */
  cutOff?: boolean;
  gzip?: boolean;
}

export function replyOf({ status, body, headers, text }: Answer): Reply {
  if (status === 204) return { status, text: "", headers: { ...headers } };
  const sent = text ?? (body === undefined ? "" : JSON.stringify(body));
  return { status, text: sent, headers: { "content-type": json, ...headers } };
}

export function send(response: ServerResponse, { status, headers, text, cutOff, gzip }: Reply): void {
  if (status === 204) {
    response.writeHead(status, headers).end();
    return;
  }
  if (gzip) {
    const packed = gzipSync(text);
    response.writeHead(status, { ...headers, "content-encoding": "gzip", "content-length": String(packed.length) });
    response.end(packed);
    return;
  }
  response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(text)) });
  if (cutOff) response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
  else response.end(text);
}

/** Resets the TCP connection, as a crashed or overloaded server does. */
export function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

/** The response that the fault produces; undefined if it resets the connection. */
export function applyFault(fault: FaultRule, answer: Answer | undefined): Reply | undefined {
  const headers: Record<string, string> = { ...fault.headers };
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  const status = fault.status ?? 200;
  switch (fault.kind) {
    case "reset-before":
    case "reset-after":
      return undefined;
    case "empty":
      return { status, headers, text: "" };
    case "html":
      return { status, headers: { "content-type": "text/html", ...headers }, text: page };
    case "truncated":
      return { status, headers: { "content-type": json }, text: JSON.stringify(answer?.body ?? {}), cutOff: true };
    case "respond":
      return { status, headers: { "content-type": json, ...headers }, text: bodyText(fault.body) };
    default:
      return { status: Number(fault.kind), headers: { "content-type": json, ...headers }, text: statusText(fault) };
  }
}

/** For 429, 503 and 500. Throttled calls often get no body at all; set `body: ""` for that. */
function statusText({ kind, body }: FaultRule): string {
  if (body !== undefined) return bodyText(body);
  return JSON.stringify(new ApiError(Number(kind), `injected fault: ${kind}`).body);
}

function bodyText(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}
