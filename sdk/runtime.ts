import * as pulumi from "@pulumi/pulumi";
import { secretOutputNames, withSecretsMarked } from "./secrets";

export type PlatformResourceOptions = pulumi.CustomResourceOptions;

/**
 * Runs on refresh and delete from the state, also long after it was written: it must never change between releases.
 * It holds no code of ours and no secret, and is resolved from the program's directory.
 */
function providerText(type: string): string {
  return `exports.handler=()=>require("pulumi-dataplatform/dynamic").${type}`;
}

/** What all resources share. The classes in `resources/` add their names and types, and nothing else. */
export abstract class PlatformResource extends pulumi.CustomResource {
  constructor(
    type: string,
    name: string,
    args: object,
    outputs: readonly string[],
    secrets: readonly string[],
    opts: PlatformResourceOptions = {},
  ) {
    const properties: Record<string, unknown> = Object.fromEntries(outputs.map((output) => [output, undefined]));
    Object.assign(properties, withSecretsMarked(args, secrets));
    properties["__provider"] = providerText(type);
    super(`pulumi-nodejs:dynamic/dataplatform:${type}`, name, properties, withSecrets(opts, secrets));
  }
}

function withSecrets(opts: PlatformResourceOptions, secrets: readonly string[]): PlatformResourceOptions {
  const names = secretOutputNames(secrets);
  if (names.length === 0) return opts;
  return { ...opts, additionalSecretOutputs: [...new Set([...(opts.additionalSecretOutputs ?? []), ...names])] };
}
