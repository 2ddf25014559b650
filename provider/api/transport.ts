import type { Dispatcher } from "undici";
import { PlatformError, stopped } from "./errors";
import { isLoopback, type Settings } from "./settings";

/** Answers beyond this are refused, so that a broken server cannot fill the memory of a pipeline. */
export const largestAnswerBytes = 32 * 1024 * 1024;

export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** Sends one request over a pool of connections. Knows HTTP, not what an answer means. */
export class Transport {
  readonly #settings: Settings;
  #dispatcher: Dispatcher | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  async send(
    method: Dispatcher.HttpMethod,
    path: string,
    body: string | undefined,
    signal?: AbortSignal,
  ): Promise<RawAnswer> {
    const url = new URL(this.#settings.baseUrl + path);
    const timeout = AbortSignal.timeout(this.#settings.requestTimeoutSeconds * 1000);
    try {
      const answer = await this.#connections().request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: {
          "x-auth-token": this.#settings.apiToken,
          accept: "application/json",
          "content-type": "application/json",
        },
        body: body ?? null,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      const retryAfter = answer.headers["retry-after"];
      return {
        status: answer.statusCode,
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
        text: await answer.body.text(),
      };
    } catch (error) {
      throw this.#translate(error, url, signal, timeout);
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher?.close();
    this.#dispatcher = undefined;
  }

  /** Made at the first request: a preview that calls nothing opens nothing. */
  #connections(): Dispatcher {
    this.#dispatcher ??= this.#connect();
    return this.#dispatcher;
  }

  #connect(): Dispatcher {
    // Loaded with the first request: most previews call nothing, and undici is half of what a provider process loads.
    const { Agent, EnvHttpProxyAgent } = require("undici") as typeof import("undici");
    const options = {
      connections: this.#settings.connections,
      maxResponseSize: largestAnswerBytes,
      // Our own time-out covers the whole request; undici's shorter ones would hide it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: Math.min(10_000, this.#settings.requestTimeoutSeconds * 1000) },
    };
    const env = process.env;
    const proxied = env["HTTPS_PROXY"] || env["https_proxy"] || env["HTTP_PROXY"] || env["http_proxy"];
    const local = isLoopback(new URL(this.#settings.baseUrl).hostname);
    return proxied && !local ? new EnvHttpProxyAgent(options) : new Agent(options);
  }

  #translate(error: unknown, url: URL, signal: AbortSignal | undefined, timeout: AbortSignal): PlatformError {
    if (signal?.aborted) return stopped(signal, error);
    if (timeout.aborted) {
      return new PlatformError(
        `no answer from ${url.origin} within ${this.#settings.requestTimeoutSeconds} s (dataplatform:requestTimeoutSeconds)`,
        {
          code: "timeout",
          cause: error,
        },
      );
    }
    if ((error as CodedError).code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
      return new PlatformError(`the answer is larger than ${largestAnswerBytes / 1024 / 1024} MiB`, {
        code: "answer-too-large",
      });
    }
    const reason = rootCause(error);
    if (neverConnected(reason)) {
      return new PlatformError(
        `${url.origin} cannot be reached (${reason.code ?? reason.message}); check dataplatform:baseUrl, the network and the proxy settings`,
        { code: "unreachable", cause: error },
      );
    }
    return new PlatformError(`the connection to ${url.origin} broke (${reason.code ?? reason.message})`, {
      code: "connection-lost",
      cause: error,
    });
  }
}

type CodedError = Error & { readonly code?: string | undefined; readonly syscall?: string | undefined };

function rootCause(error: unknown): CodedError {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootCause(error.cause);
  return error instanceof Error ? error : new Error(String(error));
}

/** Failures before anything was sent: the request cannot have been carried out. */
function neverConnected(reason: CodedError): boolean {
  if (reason.syscall === "connect" || reason.syscall === "getaddrinfo") return true;
  const code = reason.code ?? "";
  return code === "UND_ERR_CONNECT_TIMEOUT" || code.startsWith("ERR_TLS_") || /CERT|SELF_SIGNED|ERR_SSL_/.test(code);
}
