import { createRequire } from "node:module";

/**
 * Loads Pulumi's own stubs, and the copies of gRPC and protobuf that they use: another copy would not know their
 * messages. Never all of `@pulumi/pulumi`, which takes most of a second to load.
 */
export const fromPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));

export const grpc = fromPulumi("@grpc/grpc-js") as typeof import("@grpc/grpc-js");

/** Loaded with the first log line. */
export function engineStubs() {
  return {
    messages: fromPulumi("./proto/engine_pb.js") as typeof import("@pulumi/pulumi/proto/engine_pb"),
    service: fromPulumi("./proto/engine_grpc_pb.js") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb"),
  };
}
