import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Client, ServiceError } from "@grpc/grpc-js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Methods, Refusal, serveGrpc, status } from "../../../provider/engine/grpc-server";
import { isOfUser } from "../../../provider/engine/same-user";
import { grpc } from "../../harness/grpc";

/** More than any window or buffer of HTTP/2, and than the 4 MB that gRPC allows by default. */
const large = Buffer.alloc(6 * 1024 * 1024, "0123456789abcdef");
/** Node's own client, unlike the engine's, accepts no more than 64 kB of headers. */
const longText = `100 % of “it” failed\n${"because ".repeat(3_000)}`;

let release = (): void => undefined;
const methods: Methods = {
  Echo: (bytes) => bytes,
  Many: async (bytes) => [bytes, Buffer.from("and more"), new Uint8Array()],
  Refuse() {
    throw new Refusal(status.failedPrecondition, longText, Buffer.from([0, 1, 254, 255]));
  },
  async Break() {
    throw new TypeError("out of order");
  },
  Wait: (bytes) => new Promise((resolve) => (release = () => resolve(bytes))),
};

let client: Client;
beforeAll(async () => {
  const port = await serveGrpc("test.Service", methods);
  client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    "grpc.max_receive_message_length": -1,
    "grpc.max_metadata_size": 2 ** 16,
  });
});
afterAll(() => client.close());

const asIs = (bytes: Buffer): Buffer => bytes;

function call(method: string, bytes: Buffer = Buffer.from("hello")): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(`/test.Service/${method}`, asIs, asIs, bytes, (error, answer) =>
      error ? reject(error) : resolve(answer!),
    ),
  );
}

const errorOf = (method: string): Promise<ServiceError> =>
  call(method).then(
    () => Promise.reject(new Error("the call should have failed")),
    (error: ServiceError) => error,
  );

test("messages of any size go both ways, many at a time", async () => {
  const texts = Array.from({ length: 100 }, (_, index) => Buffer.from(`message ${index}`));
  const [echoed, empty, ...others] = await Promise.all([
    call("Echo", large),
    call("Echo", Buffer.alloc(0)),
    ...texts.map((text) => call("Echo", text)),
  ]);
  expect(echoed.equals(large)).toBe(true);
  expect(empty.length).toBe(0);
  expect(others.map(String)).toEqual(texts.map(String));
});

test("a refusal arrives with its whole text and its details", async () => {
  const error = await errorOf("Refuse");
  expect({ code: error.code, text: error.details }).toEqual({ code: status.failedPrecondition, text: longText });
  expect(error.metadata.get("grpc-status-details-bin")).toEqual([Buffer.from([0, 1, 254, 255])]);
});

test("an unexpected failure shows where it came from, and an unknown method is not implemented", async () => {
  expect(await errorOf("Break")).toMatchObject({
    code: status.internal,
    details: expect.stringMatching(/^TypeError: out of order\n +at /),
  });
  expect((await errorOf("Missing")).code).toBe(status.unimplemented);
});

test("a call that the engine gave up leaves the others alone", async () => {
  const abandoned = client.makeUnaryRequest("/test.Service/Wait", asIs, asIs, Buffer.from("x"), () => undefined);
  await call("Echo");
  abandoned.cancel();
  await call("Echo");
  release();
  expect(String(await call("Echo"))).toBe("hello");
});

test("nobody else is answered", async () => {
  const port = await serveGrpc("test.Service", methods, () => false);
  const refused = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  const error = await new Promise<ServiceError | null>((resolve) =>
    refused.makeUnaryRequest("/test.Service/Echo", asIs, asIs, Buffer.from("hello"), resolve),
  );
  expect(error?.code).toBe(grpc.status.UNAVAILABLE);
  refused.close();
});

/** The server's end of a connection from an address of this machine. */
async function connectionFrom(localAddress: string): Promise<Socket> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const caller = connect({ port, host: "127.0.0.1", localAddress });
  const [socket] = (await once(server, "connection")) as [Socket];
  onTestFinished(() => {
    caller.destroy();
    server.close();
  });
  return socket;
}

test.runIf(process.platform === "linux")("on Linux, a connection tells which user made it", async () => {
  const [own, other] = [process.getuid!(), process.getuid!() + 1];
  const socket = await connectionFrom("127.0.0.1");
  expect([isOfUser(socket, own), isOfUser(socket, other), isOfUser(socket)]).toEqual([true, false, true]);
});

test.runIf(process.platform === "linux")("on Linux, what the system does not tell is refused", async () => {
  // From another address of the same machine, and a connection that the table does not have.
  expect(isOfUser(await connectionFrom("127.0.0.2"))).toBe(false);
  expect(isOfUser({ remoteAddress: "127.0.0.1", remotePort: 1, localPort: 1 })).toBe(false);
});
