import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { close, listen, textOf } from "./http";
import { forTest } from "./shared";

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | object;
  /** Reset the connection instead of answering. */
  readonly reset?: boolean;
  readonly delayMs?: number;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A real server on a free port with scripted answers, one per request; the last one repeats. */
export class ScriptedServer {
  readonly received: ReceivedRequest[] = [];
  #script: readonly ScriptedAnswer[] = [{}];
  #url = "";
  readonly #server = createServer(
    (request, response) => void this.#answer(request, response).catch(() => response.destroy()),
  );

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    server.#url = await listen(server.#server);
    return server;
  }

  /** One for this test alone. */
  static async forTest(): Promise<ScriptedServer> {
    return forTest(await ScriptedServer.start());
  }

  get url(): string {
    return this.#url;
  }

  script(...answers: readonly ScriptedAnswer[]): void {
    this.#script = answers;
    this.received.length = 0;
  }

  stop(): Promise<void> {
    return close(this.#server);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const body = await textOf(request);
    const answer = this.#script[Math.min(this.received.length, this.#script.length - 1)] ?? {};
    this.received.push({ method, url, headers, body });
    await wait(answer.delayMs ?? 0);
    if (answer.reset) return void request.socket.destroy();
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(typeof answer.body === "object" ? JSON.stringify(answer.body) : (answer.body ?? "{}"));
  }
}
