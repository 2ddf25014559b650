import { fromPulumi } from "./from-pulumi";

export { fromPulumi } from "./from-pulumi";

/** Loaded with the first log line. */
export function engineStubs() {
  return {
    grpc: fromPulumi("@grpc/grpc-js") as typeof import("@grpc/grpc-js"),
    messages: fromPulumi("./proto/engine_pb.js") as typeof import("@pulumi/pulumi/proto/engine_pb"),
    service: fromPulumi("./proto/engine_grpc_pb.js") as typeof import("@pulumi/pulumi/proto/engine_grpc_pb"),
  };
}
