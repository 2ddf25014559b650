import { createServer, type IncomingMessage, type Server } from "node:http";
import { onTestFinished } from "vitest";
import { listen } from "./http";

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
  readonly #server: Server;
  #script: readonly ScriptedAnswer[] = [{}];
  #url = "";

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      request.on("end", () => {
        const answer = this.#script[Math.min(this.received.length, this.#script.length - 1)] ?? {};
        this.received.push({ method: request.method!, url: request.url!, headers: request.headers, body });
        setTimeout(() => {
          if (answer.reset) return request.socket.destroy();
          response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
          response.end(typeof answer.body === "object" ? JSON.stringify(answer.body) : (answer.body ?? "{}"));
        }, answer.delayMs ?? 0);
      });
    });
  }

  static async start(): Promise<ScriptedServer> {
    const server = new ScriptedServer();
    server.#url = await listen(server.#server);
    return server;
  }

  /** One for this test alone. */
  static async forTest(): Promise<ScriptedServer> {
    const server = await ScriptedServer.start();
    onTestFinished(() => server.stop());
    return server;
  }

  get url(): string {
    return this.#url;
  }

  script(...answers: readonly ScriptedAnswer[]): void {
    this.#script = answers;
    this.received.length = 0;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
