import * as pulumi from "@pulumi/pulumi";

const rules = [
  "whole-internet",
  "way-back-in",
  "one-exclusive-whitelist",
  "deny-the-rest",
  "all-to-everybody",
  "manage-by-groups",
  "protected-policies",
  "protected-data",
  "plaintext-secrets",
  "on-premise-gateway",
  "system-admin",
  "separate-duties",
  "roles-named-one-way",
  "command-triggers",
  "package-versions",
];

const examples = new pulumi.Config().require<"bad" | "good">("examples", { allowedValues: ["bad", "good"] });

for (const rule of rules) require(`./${examples}/${rule}`);
