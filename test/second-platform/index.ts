import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { encode } from "./answers";
import { type Incoming, Service } from "./serve";
import { accountIds, type PlatformState, role, seed, tokens, user } from "./state";
import { resolveSwitches, type Switches } from "./switches";
import { World } from "./world";

export { accountIds, type PlatformState } from "./state";
export { type Switches, type SwitchName, switchCatalogue } from "./switches";

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

export class SecondPlatform {
  readonly tokens = tokens;
  /** A file that tells the provider how this platform wants its requests. */
  readonly profile?: string | undefined;
  private readonly world: World;
  private readonly service: Service;
  private readonly server: Server;
  private readonly idle = new WeakMap<Socket, NodeJS.Timeout>();
  private received: ReceivedRequest[] = [];

  constructor(given: Partial<Switches>) {
    this.world = new World(resolveSwitches(given), seed());
    this.service = new Service(this.world);
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

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A new user of the first account whose one role allows exactly these permissions (texts of part 5). */
  tokenWith(permissions: readonly string[]): string {
    const { data } = this.world;
    const [roleId, id] = [this.world.nextId("role"), this.world.nextId("user")];
    data.roles.push(role(roleId, `made-role-${roleId}`, [...permissions]));
    const group = this.world.addGroup(`made-group-${id}`, [roleId]);
    const made = user(id, 100_000 + id, accountIds.own, `made-user-${id}@acme.example`, [group]);
    data.users.push(made);
    return made.token;
  }

  /** A copy of everything the platform holds. */
  state(): PlatformState {
    return structuredClone(this.world.data);
  }

  /** What was received, in order. */
  requests(): readonly ReceivedRequest[] {
    return structuredClone(this.received);
  }

  clearRequests(): void {
    this.received = [];
  }

  /** Advances the platform's clock, so that delays in seconds end without waiting. */
  advance(ms: number): void {
    this.world.advance(ms);
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
    this.received.push({ method, path, body: text === "" ? undefined : JSON.parse(text) });
    const answer = this.service.answer(incoming);
    const accepted = request.headers["accept-encoding"];
    const wire = encode(this.world.switches, answer, Array.isArray(accepted) ? accepted.join() : (accepted ?? ""));
    const bare = wire.status === 204;
    response.writeHead(wire.status, bare ? wire.headers : { ...wire.headers, "content-length": wire.body.length });
    response.end(wire.body);
    if (response.shouldKeepAlive) this.resetWhenIdle(request.socket);
  }

  private resetWhenIdle(socket: Socket): void {
    if (this.world.switches.connection !== "reset when idle for 20 ms") return;
    this.idle.set(
      socket,
      setTimeout(() => socket.resetAndDestroy(), 20),
    );
  }
}

export const startSecondPlatform = (given: Partial<Switches> = {}): Promise<SecondPlatform> =>
  new SecondPlatform(given).listen();
