import type { MethodDefinition, ServiceDefinition } from "@grpc/grpc-js";
import { fromPulumi } from "../provider/engine/stubs";

export { grpc } from "../provider/engine/stubs";

export const protobuf = fromPulumi("google-protobuf") as typeof import("google-protobuf");
export const { Struct } = fromPulumi(
  "google-protobuf/google/protobuf/struct_pb.js",
) as typeof import("google-protobuf/google/protobuf/struct_pb");
export const { Empty } = fromPulumi(
  "google-protobuf/google/protobuf/empty_pb.js",
) as typeof import("google-protobuf/google/protobuf/empty_pb");
export const { PluginInfo } = fromPulumi("./proto/plugin_pb.js") as typeof import("@pulumi/pulumi/proto/plugin_pb");

export const analyzer = fromPulumi("./proto/analyzer_pb.js") as typeof import("@pulumi/pulumi/proto/analyzer_pb");

/** What both kinds of requests say about a resource; only those about a stack know what depends on what. */
export type WireResource = InstanceType<typeof analyzer.AnalyzeRequest> &
  Partial<Pick<InstanceType<typeof analyzer.AnalyzerResource>, "getPropertydependenciesMap">>;

type Method = MethodDefinition<unknown, unknown>;

const { AnalyzerService: service } = fromPulumi("./proto/analyzer_grpc_pb.js") as {
  readonly AnalyzerService: Readonly<Record<string, Method>>;
};

const asBytes = (bytes: Buffer): Uint8Array => bytes;

/**
 * Requests about resources stay bytes until a rule needs them: most stacks have resources that no rule is about, and
 * each is sent twice, the first time for remediations, which there are none of.
 */
export const AnalyzerService: ServiceDefinition = {
  ...service,
  analyze: { ...service["analyze"]!, requestDeserialize: asBytes },
  analyzeStack: { ...service["analyzeStack"]!, requestDeserialize: asBytes },
  ...(service["remediate"] && { remediate: { ...service["remediate"], requestDeserialize: asBytes } }),
};
