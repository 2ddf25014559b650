import { expect, test } from "vitest";
import { unknownYet } from "../../../policies";
import { secretProperties } from "../../../policies/rules/plaintext-secrets";
import { secretsOf } from "../../../provider/core/secrets";
import { resources } from "../../../provider/resources";
import { casesOf, messages, resource, ruleOf } from "./cases";

const store = (properties: object, ...secrets: string[]) => resource("DataStore", { ...properties }, { secrets });
const command = (properties: object, ...secrets: string[]) => resource("Command", { ...properties }, { secrets });
const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc";
const copy = (encryptionKey: string, ...secrets: string[]) => command({ s3DistCp: { encryptionKey } }, ...secrets);
const run = { spark: { cmdline: "run --password hunter2" } };
const macros = [{ token: "x" }, { a: "api_key=abcdef" }];
const tokens = [key, "AKIAIOSFODNN7EXAMPLE", "s3n://user:pass@bucket/x", '{"password": "hunter2"}'];
const references = [
  ...["--password $PASSWORD", "password={{ password }}", "password: <yours>", "https://user:***@host"],
  ...["--password --verbose", "passwords are hard", "SELECT token FROM t"],
];
casesOf("plaintext-secrets", [
  ["a password that is not marked", "it dbPasswd", store({ dbPasswd: "hidden" })],
  ["one that is marked", "", store({ dbPasswd: "hidden" }, "dbPasswd")],
  ["one that is part of what is marked", "", copy("k", "s3DistCp")],
  ["one inside another property", "it s3DistCp.encryptionKey", copy("hidden")],
  ["an unknown, an empty and a missing one", "", store({ dbPasswd: unknownYet, gatewayPrivateKey: "" }), store({})],
  ["what looks like one", "it spark.cmdline, it macros[1].a", command({ ...run, macros })],
  ["such tags", "it tags[0], it tags[1], it tags[2], it tags[3]", command({ tags: tokens })],
  ["what looks like one and is marked", "", command(run, "spark.cmdline")],
  ["what refers to one", "", command({ tags: references })],
  ["what the provider itself keeps", "", resource("Folder", { __provider: "password=hunter2" })],
]);
const ignored = command({ tags: ["password=hunter2"] });
casesOf("plaintext-secrets", [["properties to ignore", "", ignored]], { options: { ignore: ["Command.tags"] } });

const plainConfig = { hidden: "project:password", [key]: "project:key" };
const onPremise = (gatewayPrivateKey: unknown, ...secrets: string[]) =>
  store({ dbLocation: "on-premise", gatewayPrivateKey }, ...secrets);
casesOf("plaintext-secrets", [["from plain configuration", "it dbPasswd", store({ dbPasswd: "hidden" }, "dbPasswd")]], {
  plainConfig,
});
casesOf("on-premise-gateway", [
  ["no key", "it gatewayPrivateKey", store({ dbLocation: "on-premise" })],
  ["a key that is not marked", "it gatewayPrivateKey", onPremise(key)],
  ["one that is marked", "", onPremise(key, "gatewayPrivateKey")],
  ["one that is marked and unknown", "", onPremise(unknownYet, "gatewayPrivateKey")],
  ["elsewhere", "", store({ dbLocation: "eu-west-1" }), store({}), store({ dbLocation: unknownYet })],
]);
casesOf(
  "on-premise-gateway",
  [["from plain configuration", "it gatewayPrivateKey", onPremise(key, "gatewayPrivateKey")]],
  {
    plainConfig,
  },
);

const triggers = (...all: unknown[]) => all.map((one) => command({ triggers: one }));
casesOf("command-triggers", [
  ["none, or empty", "it triggers, it triggers, it triggers", command({}), ...triggers([], {})],
  ["some, also unknown ones", "", ...triggers(["1"], { day: unknownYet }, unknownYet)],
]);

const packages = (...all: unknown[]) => resource("PackageSet", { packages: all });
const inexact = packages("numpy==1.*", { name: "pandas", version: "2.*" });
casesOf("package-versions", [
  ["bare names", "it packages[0], it packages[1]", packages("numpy", { name: "pandas" })],
  ["exact versions", "", packages("scipy==1.12.0", { name: "a", version: "1" })],
  ["versions that are not exact", "it packages[0], it packages[1]", inexact],
  ["unknown entries and versions", "", packages(unknownYet, { name: "a", version: unknownYet })],
  ["an unknown list, and none", "", resource("PackageSet", { packages: unknownYet }), resource("PackageSet")],
]);

test("the secrets are those of the definitions", () => {
  const declared = resources.flatMap((definition) => {
    const { type, inputs } = definition;
    const own = secretsOf(definition).filter((name) => name.split(".", 1)[0]! in inputs.shape);
    return own.length > 0 ? [[type, own]] : [];
  });
  expect(secretProperties).toEqual(Object.fromEntries(declared));
});

test("a message says which resource and property, why, and what to do, and never the secret", () => {
  const stores = [store({ dbPasswd: "hidden" }, "dbPasswd")];
  const [message = ""] = messages(ruleOf("plaintext-secrets"), stores, { plainConfig });
  expect(message).toMatch(
    /^DataStore it: dbPasswd comes from project:password, which the stack's configuration does not encrypt\. What is not marked/,
  );
  expect(message).toMatch(
    /Run pulumi config set --secret project:password, .* \(node_modules\/pulumi-dataplatform\/docs\/policies\/plaintext-secrets\.md\)$/,
  );
  expect(message).not.toContain("hidden");
});
