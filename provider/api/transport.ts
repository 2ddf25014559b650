import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Dispatcher } from "undici";
import { type ErrorCode, type Outcome, PlatformError, stopped } from "./errors";
import { isLoopback, type Settings } from "./settings";

/** Larger responses are refused, so that a broken server cannot fill the memory of a pipeline. */
export const largestAnswerBytes = 32 * 1024 * 1024;

export interface RawAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly text: string;
  readonly contentType?: string | undefined;
  /** How the response was compressed. */
  readonly encoding?: string | undefined;
}

/** Sends one request over a pool of connections. Knows HTTP, not what a response means. */
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
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RawAnswer> {
    const url = new URL(this.#settings.baseUrl + path);
    const timeout = AbortSignal.timeout(this.#settings.requestTimeoutSeconds * 1000);
    const sendState: SendState = { wasSent: false };
    try {
      return await exchange(
        this.#connections(),
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: {
            "x-auth-token": this.#settings.apiToken,
            accept: "application/json",
            "content-type": "application/json",
            ...headers,
          },
          body: body ?? null,
        },
        signal ? AbortSignal.any([signal, timeout]) : timeout,
        sendState,
      );
    } catch (error) {
      throw this.#translate(error, url, signal, timeout, sendState.wasSent ? "open" : "not-sent");
    }
  }

  async close(): Promise<void> {
    await this.#dispatcher?.close();
    this.#dispatcher = undefined;
  }

  /** Created with the first request: a preview that sends nothing opens nothing. */
  #connections(): Dispatcher {
    this.#dispatcher ??= this.#connect();
    return this.#dispatcher;
  }

  #connect(): Dispatcher {
    const options = {
      connections: this.#settings.connections,
      maxResponseSize: largestAnswerBytes,
      // Our own timeout covers the whole request; undici's shorter ones would hide it.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: Math.min(10_000, this.#settings.requestTimeoutSeconds * 1000) },
    };
    const env = process.env;
    const proxied = env["HTTPS_PROXY"] || env["https_proxy"] || env["HTTP_PROXY"] || env["http_proxy"];
    const local = isLoopback(new URL(this.#settings.baseUrl).hostname);
    if (proxied && !local) return new (undici().EnvHttpProxyAgent)(options);
    return new (agentClass())(options);
  }

  #translate(
    error: unknown,
    url: URL,
    signal: AbortSignal | undefined,
    timeout: AbortSignal,
    outcome: Outcome,
  ): PlatformError {
    if (signal?.aborted) return stopped(signal, error);
    const failed = (code: ErrorCode, message: string, became = outcome) =>
      new PlatformError(message, { code, outcome: became, cause: error });
    if (timeout.aborted) {
      const seconds = this.#settings.requestTimeoutSeconds;
      const what = outcome === "open" ? `no response from ${url.origin}` : `no free connection to ${url.origin}`;
      return failed("timeout", `${what} within ${seconds} s (dataplatform:requestTimeoutSeconds)`);
    }
    const reason = rootCause(error);
    const why = reason.code ?? reason.message;
    if (why === "UND_ERR_RES_EXCEEDED_MAX_SIZE" || why === "ERR_BUFFER_TOO_LARGE")
      return failed("answer-too-large", `the response is larger than ${largestAnswerBytes / 1024 / 1024} MiB`);
    if (outcome === "not-sent" || neverConnected(reason))
      return failed("unreachable", `cannot reach ${url.origin} (${why}); ${hintFor(reason, url)}`, "not-sent");
    return failed("connection-lost", `the connection to ${url.origin} was lost (${why})`);
  }
}

/** Loaded with the first request: most previews send nothing, and undici is half of what a provider process loads. */
function undici(): typeof import("undici") {
  return require("undici") as typeof import("undici");
}

/** The agent without the rest of undici, fetch and all, which takes three times as long to load. */
function agentClass(): typeof import("undici").Agent {
  try {
    return require("undici/lib/dispatcher/agent.js") as typeof import("undici").Agent;
  } catch {
    // The file is not part of undici's public API.
    return undici().Agent;
  }
}

/** Until undici hands a request to a connection, nothing of it has left this machine. */
interface SendState {
  wasSent: boolean;
}

/** One request and its whole response, without the cost of streams. */
function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  state: SendState,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let head: Omit<RawAnswer, "text">;
    let request: Dispatcher.DispatchController | undefined;
    const stop = (): void => {
      request?.abort(signal.reason as Error);
      // Also while it waits for a connection: there is no request yet, and none is sent any more.
      reject(signal.reason as Error);
    };
    const done = (): void => signal.removeEventListener("abort", stop);
    signal.addEventListener("abort", stop);
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        request = controller;
        if (signal.aborted) controller.abort(signal.reason as Error);
        else state.wasSent = true;
      },
      onResponseStart(_, code, headers) {
        head = {
          status: code,
          retryAfter: first(headers["retry-after"]),
          encoding: first(headers["content-encoding"]),
          contentType: first(headers["content-type"]),
        };
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        done();
        try {
          const body = decompressed(Buffer.concat(chunks), head.encoding);
          resolve({ ...head, text: new TextDecoder().decode(body) });
        } catch (error) {
          reject(error as Error);
        }
      },
      onResponseError(_, error) {
        done();
        reject(error);
      },
    });
  });
}

function first(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}

/** We do not ask for compression, but a server or a proxy may compress anyway. */
const decompressions = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

function decompressed(body: Buffer, encoding = ""): Buffer {
  const decompress = decompressions.get(encoding.trim().toLowerCase());
  return decompress ? decompress(body, { maxOutputLength: largestAnswerBytes }) : body;
}

type CodedError = Error & { readonly code?: string | undefined; readonly syscall?: string | undefined };

function rootCause(error: unknown): CodedError {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootCause(error.cause);
  return error instanceof Error ? error : new Error(String(error));
}

function hintFor({ code = "" }: CodedError, { host, hostname }: URL): string {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return `it seems to answer in plain http: try http://${host}`;
  if (/CERT|SELF_SIGNED/.test(code))
    return "its certificate is not trusted here: set NODE_EXTRA_CA_CERTS to the file of the authority that has issued it";
  return isLoopback(hostname)
    ? "check dataplatform:baseUrl, and whether the emulator, or what else you run there, is running"
    : "check dataplatform:baseUrl, the network and the proxy settings";
}

/** Failures before anything was sent: the request cannot have been carried out. */
function neverConnected(reason: CodedError): boolean {
  if (reason.syscall === "connect" || reason.syscall === "getaddrinfo") return true;
  const code = reason.code ?? "";
  return code === "UND_ERR_CONNECT_TIMEOUT" || code.startsWith("ERR_TLS_") || /CERT|SELF_SIGNED|ERR_SSL_/.test(code);
}
