import { defineRule } from "../rule";
import { isMissing, textOf } from "../values";
import { fromPlainConfig } from "./plaintext-secrets";

const key = "gatewayPrivateKey";

export const onPremiseGateway = defineRule({
  name: "on-premise-gateway",
  description: "On-premise data stores are reached through a gateway whose key is a secret.",
  why: "Without a gateway the database itself must be open to the platform, and so to the internet; with a key that is not secret, so is everything behind the gateway.",
  fix: "Set gatewayIp, gatewayUsername and gatewayPrivateKey, with the key from config.requireSecret.",
  types: ["DataStore"],
  seesSecrets: true,

  checkResource(resource, { plainConfigKey }) {
    const { dbLocation, [key]: value } = resource.properties;
    if (textOf(dbLocation) !== "on-premise") return [];
    if (isMissing(value))
      return [{ resource, property: key, problem: "is missing, although dbLocation is on-premise" }];
    if (!resource.isSecret(key)) return [{ resource, property: key, problem: "is not marked as a secret" }];
    const plain = plainConfigKey(textOf(value) ?? "");
    return plain === undefined ? [] : [fromPlainConfig(resource, key, plain)];
  },
});
