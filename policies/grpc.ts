import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";

/** Status codes of gRPC. */
export const status = { ok: 0, invalidArgument: 3, unimplemented: 12, internal: 13 } as const;

/** What a method answers instead of a message. */
export class Refusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export type Methods = Readonly<Record<string, (request: Uint8Array) => Uint8Array>>;

/**
 * Serves methods of one gRPC service, one message each way, on a free local port. The engine calls twice for each
 * resource of a stack, one call after the other, and @grpc/grpc-js takes half as long again for a call.
 */
export function serveGrpc(service: string, methods: Methods): Promise<number> {
  // The resources of a whole stack come in one message: let the engine send it without waiting.
  const server = createServer({ settings: { initialWindowSize: 2 ** 24 } });
  server.on("stream", (stream, headers) => {
    const path = String(headers[":path"]);
    const method = path.startsWith(`/${service}/`) ? methods[path.slice(service.length + 2)] : undefined;
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => answer(stream, method, Buffer.concat(chunks)));
    // The engine has cancelled the call.
    stream.on("error", () => undefined);
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

const headers = { ":status": 200, "content-type": "application/grpc+proto" };
/** Before each message: whether it is compressed, and its length. */
const prefixLength = 5;
/** Header fields are limited. */
const longestDetails = 4000;

function answer(stream: ServerHttp2Stream, method: Methods[string] | undefined, received: Buffer): void {
  if (stream.destroyed) return;
  try {
    if (!method) throw new Refusal(status.unimplemented, "no such method");
    if (received[0] !== 0) throw new Refusal(status.unimplemented, "compressed messages are not supported");
    const response = method(received.subarray(prefixLength));
    const prefix = Buffer.alloc(prefixLength);
    prefix.writeUInt32BE(response.length, 1);
    stream.respond(headers, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(status.ok) }));
    stream.end(Buffer.concat([prefix, response]));
  } catch (error) {
    refuse(stream, error);
  }
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  const { code, details } =
    error instanceof Refusal
      ? { code: error.code, details: error.message }
      : { code: status.internal, details: trace(error) };
  const message = encodeURI(details.slice(0, longestDetails).toWellFormed());
  stream.respond({ ...headers, "grpc-status": String(code), "grpc-message": message }, { endStream: true });
}

/** With its stack: what fails unexpectedly is a rule. */
function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
