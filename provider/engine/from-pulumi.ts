import { createRequire } from "node:module";

/**
 * Loads Pulumi's own stubs, and the copies of gRPC and protobuf that they use: another copy would not know their
 * messages. Never all of `@pulumi/pulumi`, which takes most of a second to load.
 */
export const fromPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));
