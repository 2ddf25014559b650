import { fromPulumi } from "../engine/stubs";

export const { PluginAttach, PluginInfo } = fromPulumi(
  "./proto/plugin_pb.js",
) as typeof import("@pulumi/pulumi/proto/plugin_pb");
export const { Struct } = fromPulumi(
  "google-protobuf/google/protobuf/struct_pb.js",
) as typeof import("google-protobuf/google/protobuf/struct_pb");
export const { Empty } = fromPulumi(
  "google-protobuf/google/protobuf/empty_pb.js",
) as typeof import("google-protobuf/google/protobuf/empty_pb");

export const messages = fromPulumi("./proto/provider_pb.js") as typeof import("@pulumi/pulumi/proto/provider_pb");

/**
 * Says that we accept and return marked secrets (an output derived from a secret must be secret too), and that a component
 * accepts outputs in its inputs.
 */
export function handshakeResponse(): Message {
  const Known: typeof messages.ProviderHandshakeResponse | undefined = messages.ProviderHandshakeResponse;
  // The same on the wire, for stubs without the message: its first and its third field are true.
  if (!Known) return Object.assign(new Empty(), { serializeBinary: () => Uint8Array.of(0x08, 0x01, 0x18, 0x01) });
  return new Known().setAcceptSecrets(true).setAcceptOutputs(true);
}

/** How the requests of a method are read. */
export interface RequestStub<Request> {
  deserializeBinary(bytes: Uint8Array): Request;
}

/**
 * Requests as the engine sends them. The CLI is often newer than a project's `@pulumi/pulumi`, whose stubs then skip
 * what they do not know: before 3.143 the handshake, before 3.206 whether a function runs at preview, before 3.246 the
 * timeout of a read.
 */
export const requests = {
  handshake: withField(
    (messages.ProviderHandshakeRequest as typeof messages.ProviderHandshakeRequest | undefined) ??
      (Empty as unknown as RequestStub<InstanceType<typeof messages.ProviderHandshakeRequest>>),
    "getInvokeWithPreview",
    7,
    "readBool",
  ),
  invoke: withField(messages.InvokeRequest, "getPreview", 7, "readBool"),
  read: withField(messages.ReadRequest, "getTimeout", 10, "readDouble"),
};

type Message = InstanceType<typeof Empty>;
type Reading = "readBool" | "readDouble";

/** Adds a getter for a field that the stub of a request may lack. */
function withField<Request extends object>(
  stub: RequestStub<Request>,
  getter: string,
  field: number,
  reading: Reading,
): RequestStub<Request> {
  const deserializeBinary = (bytes: Uint8Array) => {
    const request = stub.deserializeBinary(bytes);
    if (getter in request) return request;
    const value = fieldOf(bytes, field, reading);
    return Object.assign(request, { [getter]: () => value });
  };
  return { deserializeBinary };
}

function fieldOf(bytes: Uint8Array, field: number, reading: Reading): boolean | number {
  const { BinaryReader } = fromPulumi("google-protobuf") as typeof import("google-protobuf");
  const reader = new BinaryReader(bytes);
  let value: boolean | number = reading === "readBool" ? false : 0;
  while (reader.nextField()) {
    if (reader.getFieldNumber() === field) value = reader[reading]();
    else reader.skipField();
  }
  return value;
}

/** Loaded for the first partial success. */
export function errorStubs() {
  return {
    status: fromPulumi("./proto/status_pb.js") as typeof import("@pulumi/pulumi/proto/status_pb"),
    any: fromPulumi(
      "google-protobuf/google/protobuf/any_pb.js",
    ) as typeof import("google-protobuf/google/protobuf/any_pb"),
  };
}
