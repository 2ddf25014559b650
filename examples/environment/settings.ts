import * as pulumi from "@pulumi/pulumi";
import type * as dataplatform from "pulumi-dataplatform";

/** A data store as the configuration lists it: secrets are kept apart. */
export type Store = Omit<dataplatform.DataStoreArgs, "dbPasswd" | "gatewayPrivateKey"> & { name: string };

const config = new pulumi.Config();

/** What differs between the stacks: Pulumi.dev.yaml and Pulumi.prod.yaml. */
export const settings = {
  team: config.require("team"),
  defloc: config.require("defloc"),
  cacheQuotaSizeInGB: config.getNumber("cacheQuotaSizeInGB") ?? 25,
  idleClusterTimeout: config.getNumber("idleClusterTimeout") ?? 1,
  addresses: config.requireObject<string[]>("addresses"),
  stores: config.requireObject<Store[]>("stores"),
  groups: config.requireObject<{ group: number; role: string }[]>("groups"),
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
