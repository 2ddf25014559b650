import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError } from "./errors.js";
import type { FaultRule } from "./faults.js";
import type { Answer } from "./server.js";

const json = "application/json; charset=utf-8";
const page =
  "<!DOCTYPE html><html><head><title>Service</title></head><body><h1>Please try again later</h1></body></html>";

export function send(response: ServerResponse, answer: Answer): void {
  write(response, answer.status, JSON.stringify(answer.body), { "content-type": json, ...answer.headers });
}

function write(response: ServerResponse, status: number, text: string, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, "content-length": String(Buffer.byteLength(text)) });
  response.end(text);
}

/** Cuts the connection with a TCP reset, as a crashed or overloaded server does. */
export function reset(socket: Socket): void {
  socket.resetAndDestroy();
}

/** Sends what the fault makes of the answer. */
export function sendFault(response: ServerResponse, fault: FaultRule, answer: Answer | undefined): void {
  const headers: Record<string, string> = { ...fault.headers };
  if (fault.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
  const status = fault.status ?? 200;
  switch (fault.kind) {
    case "empty":
      write(response, status, "", headers);
      return;
    case "html":
      write(response, status, page, { "content-type": "text/html", ...headers });
      return;
    case "truncated":
      truncate(response, status, answer);
      return;
    case "respond":
      write(response, status, bodyText(fault.body), { "content-type": json, ...headers });
      return;
    default:
      sendStatus(response, Number(fault.kind), fault, headers);
  }
}

/** 429, 503 and 500. A throttled call is often answered with no body at all: `body: ""` asks for that. */
function sendStatus(response: ServerResponse, status: number, fault: FaultRule, headers: Record<string, string>): void {
  const text =
    fault.body === undefined
      ? JSON.stringify(new ApiError(status, `the emulator was told to answer ${status}`).body)
      : bodyText(fault.body);
  write(response, status, text, { "content-type": json, ...headers });
}

function truncate(response: ServerResponse, status: number, answer: Answer | undefined): void {
  const text = JSON.stringify(answer?.body ?? {});
  response.writeHead(status, { "content-type": json, "content-length": String(Buffer.byteLength(text)) });
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
}

function bodyText(body: unknown): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}
