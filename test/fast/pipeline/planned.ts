import type { Planned } from "../../../cli/pipeline/planned";

export const urn = (name: string): string =>
  `urn:pulumi:dev::platform::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::${name}`;

/** What a plan does to a resource: by default, it creates it. */
export const planned = (one: Partial<Planned> & { readonly urn: string }): Planned => ({
  type: "",
  isCustom: true,
  op: "create",
  steps: [],
  before: {},
  after: {},
  outputs: {},
  nextOutputs: {},
  isProtected: false,
  wasProtected: false,
  wasRead: false,
  importId: "",
  retained: {},
  isMade: false,
  provider: undefined,
  dependencies: {},
  ...one,
});
