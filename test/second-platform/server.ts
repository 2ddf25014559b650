import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { errorAnswer, page } from "./answers";
import { encode, type Wire } from "./encode";
import { type FaultKind, Faults } from "./faults";
import { type Incoming, Service } from "./serve";
import type { World } from "./world";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  /** The parsed JSON body, undefined when there is none. */
  readonly body: unknown;
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
    const { method, path, text } = incoming;
    this.entries.push({ method, path, body: text === "" ? undefined : JSON.parse(text) });
    const fault = this.faults.take(incoming.method, incoming.path);
    if (fault && this.inject(fault, "before", response)) return;
    const answer = this.service.answer(incoming);
    if (fault && this.inject(fault, "after", response)) return;
    const accepted = request.headers["accept-encoding"];
    const wire = encode(this.world.switches, answer, Array.isArray(accepted) ? accepted.join() : (accepted ?? ""));
    if (fault?.type === "half answer") return this.half(wire, response);
    const bare = wire.status === 204;
    response.writeHead(wire.status, bare ? wire.headers : { ...wire.headers, "content-length": wire.body.length });
    response.end(wire.body);
    if (response.shouldKeepAlive) this.resetWhenIdle(request.socket);
  }

  /** Injects a fault at the given moment; returns whether the request ends here. */
  private inject(fault: FaultKind, now: "before" | "after", response: ServerResponse): boolean {
    if (fault.type === "half answer" || (fault.when ?? "before") !== now) return false;
    if (fault.type === "hang") return true;
    if (fault.type === "reset") {
      response.socket?.resetAndDestroy();
      return true;
    }
    const { switches } = this.world;
    const answer =
      fault.type === "html page" ? page(fault.status, "Error") : errorAnswer(fault.status, "out of order", switches);
    const wire = encode(switches, answer, "");
    response.writeHead(wire.status, { ...wire.headers, "content-length": wire.body.length });
    response.end(wire.body);
    return true;
  }

  private half(wire: Wire, response: ServerResponse): void {
    // Announce at least one byte more than is sent, even for an empty body.
    response.writeHead(wire.status, { ...wire.headers, "content-length": wire.body.length + 1 });
    response.write(wire.body.subarray(0, Math.floor(wire.body.length / 2)), () => response.socket?.destroy());
  }

  private resetWhenIdle(socket: Socket): void {
    if (this.world.switches.connection !== "reset when idle for 20 ms") return;
    this.idle.set(
      socket,
      setTimeout(() => socket.resetAndDestroy(), 20),
    );
  }
}
