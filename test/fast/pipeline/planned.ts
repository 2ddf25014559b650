import type { Planned } from "../../../cli/pipeline/planned";
import { composed } from "../../../cli/pipeline/report";
import { changesPart } from "../../../cli/pipeline/seal-report";

export const urn = (name: string): string =>
  `urn:pulumi:dev::platform::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::${name}`;

/** What a plan does to a resource: by default, it creates it. */
export const planned = (one: Partial<Planned> & { readonly urn: string }): Planned => ({
  ...{ type: "", op: "create", steps: [], importId: "", retained: {}, provider: undefined, dependencies: {} },
  ...{ before: {}, after: {}, outputs: {}, nextOutputs: {} },
  ...{ isCustom: true, isProtected: false, wasProtected: false, wasRead: false, isMade: false },
  ...one,
});

/** The part of a comment that lists what a plan does to these resources. */
export const table = (...all: Planned[]): string => composed([], [], [changesPart(all)]);
