import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Answer, errorAnswer, page } from "./answers";
import { encode, type Wire } from "./encode";
import { type FaultKind, Faults } from "./faults";
import { type Incoming, Service } from "./serve";
import type { World } from "./world";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed JSON body, the text when it is not JSON, undefined when there is none. */
  readonly body: unknown;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function read(request: IncomingMessage): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [path = "/", ...query] = (request.url ?? "/").split("?");
  const search = query.length > 0 ? `?${query.join("?")}` : "";
  const text = Buffer.concat(chunks).toString("utf8");
  return { method: request.method ?? "GET", path, search, headers: request.headers, text };
}

export class Listener {
  readonly faults = new Faults();
  entries: ReceivedRequest[] = [];
  private readonly service: Service;
  private readonly server: Server;
  private readonly idle = new WeakMap<Socket, NodeJS.Timeout>();

  constructor(private readonly world: World) {
    this.service = new Service(world);
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => {
        // A client that disconnected is not an error; anything else is a bug in this test double and must be visible.
        if (request.socket.destroyed || response.destroyed) return;
        response.writeHead(500, { "content-type": "text/plain" });
        response.end(`bug in the second platform: ${error instanceof Error ? error.stack : String(error)}`);
      });
    });
    // On a busy machine, a connection that is closed after five idle seconds may take a request with it.
    this.server.keepAliveTimeout = 120_000;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    clearTimeout(this.idle.get(request.socket));
    const incoming = await read(request);
    this.entries.push({ method: incoming.method, path: incoming.path, body: parsed(incoming.text) });
    await this.latency(incoming.method);
    const fault = this.faults.take(incoming.method, incoming.path);
    if (fault && this.inject(fault, "before", response)) return;
    const answer = this.service.answer(incoming);
    if (fault && this.inject(fault, "after", response)) return;
    const accepted = request.headers["accept-encoding"];
    const wire = encode(this.world.switches, answer, Array.isArray(accepted) ? accepted.join() : (accepted ?? ""));
    response.sendDate = false;
    if (this.world.switches.dateHeader !== "absent") wire.headers["date"] = new Date(this.world.now()).toUTCString();
    if (fault?.type === "half answer") return this.half(wire, response);
    await this.send(wire, response);
    if (response.shouldKeepAlive) this.resetWhenIdle(request.socket);
  }

  private async latency(method: string): Promise<void> {
    const { switches, data } = this.world;
    const onChanges = method === "GET" ? 0 : 300;
    const ms = { none: 0, "50 ms": 50, "300 ms on changes": onChanges }[switches.latency];
    if (ms === 0) return;
    data.counters["latency in ms"] = (data.counters["latency in ms"] ?? 0) + ms;
    await wait(ms);
  }

  /** Injects a fault at the given moment; returns whether the request ends here. */
  private inject(fault: FaultKind, now: "before" | "after", response: ServerResponse): boolean {
    if (fault.type === "half answer") return false;
    const when = fault.type === "proxy 404" ? "before" : (fault.when ?? "before");
    if (when !== now) return false;
    if (fault.type === "hang") return true;
    if (fault.type === "reset") {
      response.socket?.resetAndDestroy();
      return true;
    }
    const wire = encode(this.world.switches, this.faultAnswer(fault), "");
    response.writeHead(wire.status, { ...wire.headers, "content-length": wire.body.length });
    response.end(wire.body);
    return true;
  }

  private faultAnswer(fault: Extract<FaultKind, { type: "status" | "html page" | "proxy 404" }>): Answer {
    if (fault.type === "html page") return page(fault.status, fault.status === 200 ? "Welcome" : "Error");
    if (fault.type === "proxy 404") return { ...page(404, "404 Not Found"), headers: { server: "proxy" } };
    return errorAnswer(fault.status, "out of order", this.world.switches);
  }

  private half(wire: Wire, response: ServerResponse): void {
    // Announce at least one byte more than is sent, even for an empty body.
    response.writeHead(wire.status, { ...wire.headers, "content-length": wire.body.length + 1 });
    response.write(wire.body.subarray(0, Math.floor(wire.body.length / 2)), () => response.socket?.destroy());
  }

  private async send(wire: Wire, response: ServerResponse): Promise<void> {
    if (this.world.switches.bodyFraming === "content-length" || wire.body.length === 0) {
      const bare = wire.status === 204 || wire.status === 304;
      response.writeHead(wire.status, bare ? wire.headers : { ...wire.headers, "content-length": wire.body.length });
      response.end(wire.body);
      return;
    }
    response.writeHead(wire.status, wire.headers);
    // Chunks of seven bytes split names and multi-byte characters.
    for (let at = 0; at < wire.body.length; at += 7) response.write(wire.body.subarray(at, at + 7));
    response.end();
  }

  private resetWhenIdle(socket: Socket): void {
    if (this.world.switches.connection !== "reset when idle for 20 ms") return;
    this.idle.set(
      socket,
      setTimeout(() => socket.resetAndDestroy(), 20),
    );
  }
}
