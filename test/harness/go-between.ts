import { createServer, type IncomingMessage, type Server, request as send } from "node:http";
import { close, listen, textOf } from "./http";

export interface Passing {
  /** Number of the request, from 1. */
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly status: number;
  readonly text: string;
}

/** The text to send instead of the platform's, with the status if that changes too, or undefined to never answer. */
export type Hook = (passing: Passing) => Answer | undefined | Promise<Answer | undefined>;
type Answer = string | { readonly status: number; readonly text: string };

/**
 * What a request waits for before it is passed on: to another platform if it says so. With an answer it is not passed on,
 * and breaks off if this fails.
 */
export type Gate = (request: Arriving) => Promise<{ readonly target?: string; readonly answer?: Answer } | undefined>;
export type Arriving = Pick<Passing, "number" | "method" | "url" | "body">;

/** A proxy between provider and emulator: the work is done, and the hook decides what happens to the answer. */
export class GoBetween {
  passed = 0;
  hook: Hook = ({ text }) => text;
  gate: Gate = async () => undefined;
  /** Blocks all traffic in both directions, for a client that counts as killed. */
  closed = false;
  /** Requests that the platform has not answered yet. */
  #underWay = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(target: string): Promise<GoBetween> {
    const server = createServer((incoming, outgoing) => {
      void (async () => {
        if (between.closed) return;
        const number = ++between.passed;
        const { method = "", url = "" } = incoming;
        const body = await textOf(incoming);
        const before = await between.gate({ number, method, url, body });
        between.#underWay++;
        const pass = async () => before?.answer ?? (await forward(before?.target ?? target, incoming, body));
        const sent = whole(await pass().finally(() => between.#underWay--));
        const answer = await between.hook({ number, method, url, body, ...sent });
        if (answer === undefined) return;
        const { status, text } = whole(answer, sent.status);
        outgoing.writeHead(status, { "content-type": "application/json" });
        outgoing.end(text);
      })().catch(() => outgoing.destroy());
    });
    server.keepAliveTimeout = 120_000;
    const between = new GoBetween(server, await listen(server));
    return between;
  }

  /** A cancelled client does not wait for its requests, but the platform carries them out. */
  async settled(): Promise<void> {
    do await new Promise((next) => setTimeout(next, 5));
    while (this.#underWay > 0);
  }

  /** Resets the count and replaces the hook. */
  reset(hook: Hook = ({ text }) => text): void {
    this.passed = 0;
    this.closed = false;
    this.hook = hook;
    this.gate = async () => undefined;
  }

  /** Keeps the first such request from the platform, until the returned function lets it through and sees it done. */
  hold(isIt: (request: Pick<Passing, "method" | "url">) => boolean): () => Promise<void> {
    let held = 0;
    let open = (): void => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const done = new Promise<void>((resolve) => {
      this.reset(({ number, text }) => {
        if (number === held) resolve();
        return text;
      });
    });
    this.gate = async (request) => {
      if (held !== 0 || !isIt(request)) return undefined;
      held = request.number;
      return opened.then(() => undefined);
    };
    return () => {
      open();
      return done;
    };
  }

  /** Resolves when the first matching request has been processed and its answer withheld. */
  withhold(isIt: (passing: Passing) => boolean): Promise<Passing> {
    return new Promise((resolve) => {
      this.reset((passing) => {
        if (!isIt(passing)) return passing.text;
        this.closed = true;
        resolve(passing);
        return undefined;
      });
    });
  }

  stop(): Promise<void> {
    return close(this.server);
  }
}

const whole = (answer: Answer, status = 200) => (typeof answer === "string" ? { status, text: answer } : answer);

function forward(target: string, incoming: IncomingMessage, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { method, headers } = incoming;
    const outgoing = send(target + incoming.url, { method, headers }, (answer) => {
      textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 500, text }), reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
