import { fromPulumi } from "../../provider/engine/stubs";

/** The engine's side of a call. The plugin and the policy pack have a server of their own. */
export const grpc = fromPulumi("@grpc/grpc-js") as typeof import("@grpc/grpc-js");
