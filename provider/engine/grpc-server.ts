import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { isOfUser } from "./same-user";

/** Status codes of gRPC. */
export const status = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** What a method answers instead of a message. */
export class Refusal extends Error {
  readonly code: number;
  /** A serialised `google.rpc.Status`. */
  readonly details: Uint8Array | undefined;

  constructor(code: number, message: string, details?: Uint8Array) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** One message, or those of a stream. */
type Answer = Uint8Array | readonly Uint8Array[];

export type Methods = Readonly<Record<string, (request: Uint8Array) => Answer | Promise<Answer>>>;

/** A resource, a schema or a whole stack comes in one message, and errors travel in headers. */
const limits = {
  settings: { initialWindowSize: 2 ** 24 },
  maxSessionMemory: Number.MAX_SAFE_INTEGER,
  maxSendHeaderBlockLength: Number.MAX_SAFE_INTEGER,
};

/**
 * Serves methods of one gRPC service to the engine, which runs as the same user, on a free local port. One message comes
 * in for each call.
 * @grpc/grpc-js takes 0.1 s to load, and half as much CPU time again for a call.
 */
export function serveGrpc(
  service: string,
  methods: Methods,
  isAllowed: (socket: Socket) => boolean = (socket) => isOfUser(socket),
): Promise<number> {
  const server = createServer(limits);
  server.on("connection", (socket: Socket) => {
    if (!isAllowed(socket)) socket.destroy();
  });
  server.on("stream", (stream, headers) => {
    const path = String(headers[":path"]);
    const method = path.startsWith(`/${service}/`) ? methods[path.slice(service.length + 2)] : undefined;
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => void answer(stream, method, Buffer.concat(chunks)));
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

async function answer(stream: ServerHttp2Stream, method: Methods[string] | undefined, received: Buffer): Promise<void> {
  try {
    if (!method) throw new Refusal(status.unimplemented, "no such method");
    if (received[0] !== 0) throw new Refusal(status.unimplemented, "compressed messages are not supported");
    const answered = await method(received.subarray(prefixLength));
    if (stream.destroyed) return;
    stream.respond(headers, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": String(status.ok) }));
    stream.end(framed(answered instanceof Uint8Array ? [answered] : answered));
  } catch (error) {
    if (!stream.destroyed) refuse(stream, error);
  }
}

function framed(messages: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    messages.flatMap((message) => {
      const prefix = Buffer.alloc(prefixLength);
      prefix.writeUInt32BE(message.length, 1);
      return [prefix, message];
    }),
  );
}

function refuse(stream: ServerHttp2Stream, error: unknown): void {
  const { code, message, details } =
    error instanceof Refusal ? error : { code: status.internal, message: trace(error), details: undefined };
  stream.respond(
    {
      ...headers,
      "grpc-status": String(code),
      "grpc-message": encodeURI(message.toWellFormed()),
      ...(details && { "grpc-status-details-bin": Buffer.from(details).toString("base64") }),
    },
    { endStream: true },
  );
}

/** With its stack: what fails unexpectedly is our own code. */
function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
