import { fromPulumi } from "../provider/engine/from-pulumi";

export const protobuf = fromPulumi("google-protobuf") as typeof import("google-protobuf");
export const { Struct } = fromPulumi(
  "google-protobuf/google/protobuf/struct_pb.js",
) as typeof import("google-protobuf/google/protobuf/struct_pb");
export const { PluginInfo } = fromPulumi("./proto/plugin_pb.js") as typeof import("@pulumi/pulumi/proto/plugin_pb");

export const analyzer = fromPulumi("./proto/analyzer_pb.js") as typeof import("@pulumi/pulumi/proto/analyzer_pb");

/** What both kinds of requests say about a resource; only those about a stack know what depends on what. */
export type WireResource = InstanceType<typeof analyzer.AnalyzeRequest> &
  Partial<Pick<InstanceType<typeof analyzer.AnalyzerResource>, "getPropertydependenciesMap">>;
