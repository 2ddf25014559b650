import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export interface Passing {
  /** Counts the requests from 1. */
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

/** The text that the client gets instead of the platform's, or undefined for an answer that never comes. */
export type Hook = (passing: Passing) => Promise<string | undefined> | string | undefined;

/** Stands between the provider and the emulator: the work is done, and what becomes of the answer is up to the hook. */
export class GoBetween {
  readonly url: string;
  passed = 0;
  hook: Hook = ({ text }) => text;
  /** Nothing passes any more, in either direction: for a client that counts as killed. */
  closed = false;
  readonly #server;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<GoBetween> {
    const server = createServer((incoming, outgoing) => {
      void (async () => {
        if (between.closed) return;
        const number = ++between.passed;
        const { status, text } = await forward(target, incoming);
        const { method = "", url = "" } = incoming;
        const answer = await between.hook({ number, method, url, status, text });
        if (answer === undefined) return;
        outgoing.writeHead(status, { "content-type": "application/json" });
        outgoing.end(answer);
      })().catch(() => outgoing.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const between = new GoBetween(server);
    return between;
  }

  /** Counts anew and forgets the hook. */
  reset(hook: Hook = ({ text }) => text): void {
    this.passed = 0;
    this.closed = false;
    this.hook = hook;
  }

  /** Settles when the work of the n-th request is done and its answer withheld. */
  withhold(nth: number): Promise<Passing> {
    return new Promise((resolve) => {
      this.reset((passing) => {
        if (passing.number < nth) return passing.text;
        this.closed = true;
        resolve(passing);
        return undefined;
      });
    });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function forward(target: string, incoming: IncomingMessage): Promise<{ status: number; text: string }> {
  const body = await textOf(incoming);
  return new Promise((resolve, reject) => {
    const { method, headers } = incoming;
    const outgoing = send(target + incoming.url, { method, headers }, (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 500, text }), reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
