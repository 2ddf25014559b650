import * as pulumi from "@pulumi/pulumi";
import type * as dataplatform from "pulumi-dataplatform";

/** A data store as the configuration lists it: secrets are kept apart. */
export type Store = Omit<dataplatform.DataStoreArgs, "dbPasswd" | "gatewayPrivateKey"> & { name: string };

const config = new pulumi.Config();

/** A group and a role of the team's own, which only the extended API can create. */
export interface OwnGroup {
  readonly name: string;
  readonly members: string[];
  readonly policies: dataplatform.types.RolePolicyElement[];
}

/** What differs between the stacks: Pulumi.dev.yaml, Pulumi.prod.yaml and Pulumi.extended.yaml. */
export const settings = {
  team: config.require("team"),
  defloc: config.require("defloc"),
  cacheQuotaSizeInGB: config.getNumber("cacheQuotaSizeInGB") ?? 25,
  idleClusterTimeout: config.getNumber("idleClusterTimeout") ?? 1,
  addresses: config.requireObject<string[]>("addresses"),
  stores: config.requireObject<Store[]>("stores"),
  groups: config.requireObject<{ group: number; role: string }[]>("groups"),
  ownGroup: config.getObject<OwnGroup>("ownGroup"),
  packages: config.requireObject<string[]>("packages"),
  days: config.requireObject<string[]>("days"),
};

/** Set with `pulumi config set --secret`: encrypted in the configuration, in the state, and never shown. */
export const secrets = {
  storageAccessKey: config.requireSecret("storageAccessKey"),
  storageSecretKey: config.requireSecret("storageSecretKey"),
  computeAccessKey: config.requireSecret("computeAccessKey"),
  computeSecretKey: config.requireSecret("computeSecretKey"),
  dbPasswd: config.requireSecret("dbPasswd"),
  gatewayPrivateKey: config.getSecret("gatewayPrivateKey"),
};
