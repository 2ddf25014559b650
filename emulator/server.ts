import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type Api, parseBody } from "./api";
import { consolePage, refuseOtherSites, wantsConsole } from "./console";
import type { Control } from "./control";
import { ApiError } from "./errors";
import { type FaultInjector, type FaultRule, worksFirst } from "./faults";
import type { Hosts } from "./hosts";
import type { Journal } from "./journal";
import type { RequestLog } from "./request-log";
import { type Answer, applyFault, type Reply, replyOf, reset, send } from "./respond";
import type { Match, Route } from "./router";
import type { Store } from "./store";

interface ServerParts {
  api: Api;
  /** Absent: there are no endpoints but those of the platform. */
  control: Control | undefined;
  store: Store;
  faults: FaultInjector;
  log: RequestLog;
  journal: Journal | undefined;
  hosts: Hosts;
  maxBodyBytes: number;
  /** Resolves when the state is loaded, which happens after the server starts to listen. */
  ready: Promise<void>;
  isReady: () => boolean;
  /** Identifies the emulator. */
  instance: string;
}

interface Request {
  method: string;
  pathname: string;
  query: URLSearchParams;
  body: Buffer;
  bytes: number;
  tooLarge: boolean;
}

export function createEmulatorServer(parts: ServerParts): Server {
  const server = createServer((request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      // A client that disconnected mid-request is not our failure.
      if (request.socket.destroyed || response.headersSent || response.destroyed) response.destroy();
      else send(response, replyOf(failure(error)));
    });
  });
  server.on("clientError", refuseMalformed);
  // Longer than any client keeps an idle connection: one that is closed while a request is on its way loses that request.
  server.keepAliveTimeout = 120_000;
  return server;
}

async function serve(parts: ServerParts, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await readRequest(incoming, parts.maxBodyBytes);
  // An emulator that starts asks whether the owner of its data file is there, and may find itself at that address.
  if (request.pathname === "/_emulator/health" && !parts.isReady())
    return send(response, replyOf({ status: 503, body: { status: "starting", instance: parts.instance } }));
  await parts.ready;
  parts.hosts.check(incoming);
  const { control } = parts;
  if (control && wantsConsole(incoming, request.pathname)) return send(response, consolePage());
  if (control && (request.pathname === "/_emulator" || request.pathname.startsWith("/_emulator/"))) {
    const answer = await workSafely(parts, () => {
      checkSize(request, parts.maxBodyBytes * 16);
      refuseOtherSites(incoming);
      const body = () => parseBody({ headers: incoming.headers, body: request.body });
      return { status: 200, body: control.handle(request.method, request.pathname, request.query, body) };
    });
    send(response, replyOf(answer));
    return;
  }
  await serveApi(parts, incoming, response, request);
}

async function serveApi(
  parts: ServerParts,
  incoming: IncomingMessage,
  response: ServerResponse,
  request: Request,
): Promise<void> {
  const found = findRoute(parts.api, request);
  const operation = "route" in found ? found.route.operation : "unknown";
  const { delay, fault } = parts.faults.decide(operation, request.method);
  // Unreferenced, so that a delay does not keep a stopped emulator alive.
  if (delay > 0) await wait(delay, undefined, { ref: false });
  const answer = fault && !worksFirst(fault) ? undefined : await work(parts, incoming, request, found);
  const gzip = parts.api.compresses(incoming.headers["accept-encoding"]);
  const reply = fault ? applyFault(fault, answer) : answer && { ...replyOf(answer), gzip };
  logRequest(parts, incoming, request, operation, reply, fault);
  if (reply) send(response, reply);
  else reset(incoming.socket);
}

function work(
  parts: ServerParts,
  incoming: IncomingMessage,
  request: Request,
  found: Match<Route> | ApiError,
): Promise<Answer> {
  const operation = "route" in found ? found.route.operation : "unknown";
  return workSafely(parts, () => {
    try {
      checkSize(request, parts.maxBodyBytes);
      if (!("route" in found)) throw found;
      return parts.api.perform(found, { headers: incoming.headers, query: request.query, body: request.body });
    } catch (error) {
      if (error instanceof ApiError) return parts.api.refuse(error, operation);
      throw error;
    }
  });
}

/**
 * Runs a synchronous action and waits until its changes are on disk. If they cannot be written, they are rolled back
 * and the request fails. A read may have seen data that was rolled back, so it runs again.
 */
async function workSafely({ store, journal }: ServerParts, action: () => Answer): Promise<Answer> {
  for (let round = 0; ; round += 1) {
    const { changes } = store;
    const losses = journal?.losses;
    const answer = attempt(action);
    const changed = store.changes !== changes;
    await journal?.flush();
    if (!journal || journal.losses === losses || (round >= 3 && !changed)) return answer;
    if (changed) return failure(journal.refusal());
  }
}

function findRoute(api: Api, request: Request): Match<Route> | ApiError {
  try {
    return api.match(request.method, request.pathname);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function attempt(action: () => Answer): Answer {
  try {
    return action();
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Answer {
  if (error instanceof ApiError) return { status: error.status, body: error.body, headers: error.headers };
  process.stderr.write(`emulator: ${error instanceof Error ? error.stack : String(error)}\n`);
  const internal = new ApiError(500, "internal error of the emulator; see its stderr");
  return { status: internal.status, body: internal.body };
}

function checkSize(request: Request, limit: number): void {
  if (request.tooLarge) throw new ApiError(413, `the body is larger than ${limit} bytes`);
}

async function readRequest(incoming: IncomingMessage, limit: number): Promise<Request> {
  const url = incoming.url ?? "/";
  const mark = url.indexOf("?");
  const pathname = mark < 0 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1));
  // A seed sent to /reset may be larger than any API request.
  const allowed = pathname.startsWith("/_emulator/") ? limit * 16 : limit;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length;
    // Drain the rest, so that the client sees the answer, but not without limit.
    if (bytes <= allowed) chunks.push(chunk as Buffer);
    else if (bytes > allowed * 64) incoming.destroy();
  }
  const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  return { method: incoming.method ?? "GET", pathname, query, body, bytes, tooLarge: bytes > allowed };
}

function logRequest(
  parts: ServerParts,
  incoming: IncomingMessage,
  request: Request,
  operation: string,
  reply: Reply | undefined,
  fault: FaultRule | undefined,
): void {
  const token = incoming.headers["x-auth-token"];
  parts.log.add(
    {
      operation,
      method: request.method,
      path: incoming.url ?? "/",
      status: reply?.status ?? null,
      at: new Date().toISOString(),
      body: loggedBody(request),
      answer: loggedAnswer(reply),
      account: typeof token === "string" ? (parts.store.userByToken(token)?.account.id ?? null) : null,
      ...(fault && { fault: fault.kind }),
    },
    request.bytes,
  );
}

function loggedBody(request: Request): unknown {
  if (request.body.length === 0) return null;
  try {
    return JSON.parse(request.body.toString("utf8"));
  } catch {
    return "(not JSON)";
  }
}

/** A truncated answer is not valid JSON, so its secrets could not be masked. */
function loggedAnswer(reply: Reply | undefined): string | null {
  if (!reply) return null;
  return reply.cutOff ? `(truncated, ${reply.text.length} characters in full)` : reply.text;
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === "HPE_HEADER_OVERFLOW" ? [431, "Request Header Fields Too Large"] : [400, "Bad Request"];
  const body = JSON.stringify(new ApiError(Number(status), `not a valid HTTP request: ${text}`).body);
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
