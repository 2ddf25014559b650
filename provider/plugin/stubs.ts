import { createRequire } from "node:module";

/**
 * Pulumi's own stubs, and the copies of gRPC and protobuf that they use: another copy would not know their messages.
 * Never all of `@pulumi/pulumi`, which takes most of a second to load.
 */
const fromPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));

export const grpc = fromPulumi("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
export const messages = fromPulumi("./proto/provider_pb.js") as typeof import("@pulumi/pulumi/proto/provider_pb");
export const { PluginInfo } = fromPulumi("./proto/plugin_pb.js") as typeof import("@pulumi/pulumi/proto/plugin_pb");
export const { ResourceProviderService } = fromPulumi("./proto/provider_grpc_pb.js") as {
  readonly ResourceProviderService: import("@grpc/grpc-js").ServiceDefinition;
};
export const { Struct } = fromPulumi(
  "google-protobuf/google/protobuf/struct_pb.js",
) as typeof import("google-protobuf/google/protobuf/struct_pb");
export const { Empty } = fromPulumi(
  "google-protobuf/google/protobuf/empty_pb.js",
) as typeof import("google-protobuf/google/protobuf/empty_pb");

/** Loaded when a resource is left half-made. */
export function errorStubs() {
  return {
    status: fromPulumi("./proto/status_pb.js") as typeof import("@pulumi/pulumi/proto/status_pb"),
    any: fromPulumi(
      "google-protobuf/google/protobuf/any_pb.js",
    ) as typeof import("google-protobuf/google/protobuf/any_pb"),
  };
}

/** Loaded when there is something to say. */
export function engineStubs() {
  return {
    messages: fromPulumi("./proto/engine_pb.js") as typeof import("@pulumi/pulumi/proto/engine_pb"),
    service: fromPulumi("./proto/engine_grpc_pb.js") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb"),
  };
}
