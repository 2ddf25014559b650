import { expect, test } from "vitest";
import { unknownYet } from "../../../policies";
import { secretProperties } from "../../../policies/rules/plaintext-secrets";
import { secretsOf } from "../../../provider/core/secrets";
import { resources } from "../../../provider/resources";
import { casesOf, ruleOf } from "./cases";
import { messages, resource } from "./resource";

const store = (properties: object, ...secrets: string[]) => resource("DataStore", { ...properties }, { secrets });
const command = (properties: object, ...secrets: string[]) => resource("Command", { ...properties }, { secrets });
const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc";
casesOf("plaintext-secrets", [
  ["a password that is not marked", [store({ dbPasswd: "hidden" })], ["it dbPasswd"]],
  [
    "one that is marked, by itself or as part of something",
    [store({ dbPasswd: "hidden" }, "dbPasswd"), command({ s3DistCp: { encryptionKey: "k" } }, "s3DistCp")],
    [],
  ],
  ["one inside another property", [command({ s3DistCp: { encryptionKey: "hidden" } })], ["it s3DistCp.encryptionKey"]],
  [
    "one from plain configuration",
    [store({ dbPasswd: "hidden" }, "dbPasswd")],
    ["it dbPasswd"],
    { plainConfig: { hidden: "project:password" } },
  ],
  ["an unknown, an empty and a missing one", [store({ dbPasswd: unknownYet, gatewayPrivateKey: "" }), store({})], []],
  [
    "what looks like one",
    [
      command({
        spark: { cmdline: "run --password hunter2" },
        macros: [{ token: "x" }, { a: "api_key=abcdef" }],
        tags: [key, "AKIAIOSFODNN7EXAMPLE", "s3n://user:pass@bucket/x", '{"password": "hunter2"}'],
      }),
    ],
    ["it spark.cmdline", "it macros[1].a", "it tags[0]", "it tags[1]", "it tags[2]", "it tags[3]"],
  ],
  [
    "what looks like one and is marked",
    [command({ spark: { cmdline: "run --password hunter2" } }, "spark.cmdline")],
    [],
  ],
  [
    "what refers to one",
    [
      command({
        tags: [
          "--password $PASSWORD",
          "password={{ password }}",
          "password: <yours>",
          "https://user:***@host",
          "--password --verbose",
          "passwords are hard",
          "SELECT token FROM t",
        ],
      }),
    ],
    [],
  ],
  ["properties to ignore", [command({ tags: ["password=hunter2"] })], [], { options: { ignore: ["Command.tags"] } }],
  ["what the provider itself keeps", [resource("Folder", { __provider: "password=hunter2" })], []],
]);

casesOf("on-premise-gateway", [
  ["no key", [store({ dbLocation: "on-premise" })], ["it gatewayPrivateKey"]],
  ["a key that is not marked", [store({ dbLocation: "on-premise", gatewayPrivateKey: key })], ["it gatewayPrivateKey"]],
  [
    "a key from plain configuration",
    [store({ dbLocation: "on-premise", gatewayPrivateKey: key }, "gatewayPrivateKey")],
    ["it gatewayPrivateKey"],
    { plainConfig: { [key]: "project:key" } },
  ],
  [
    "a key that is marked, also if it is unknown",
    [
      store({ dbLocation: "on-premise", gatewayPrivateKey: key }, "gatewayPrivateKey"),
      store({ dbLocation: "on-premise", gatewayPrivateKey: unknownYet }, "gatewayPrivateKey"),
    ],
    [],
  ],
  ["elsewhere", [store({ dbLocation: "eu-west-1" }), store({}), store({ dbLocation: unknownYet })], []],
]);

casesOf("command-triggers", [
  [
    "none, or empty",
    [command({}), command({ triggers: [] }), command({ triggers: {} })],
    ["it triggers", "it triggers", "it triggers"],
  ],
  [
    "some, also unknown ones",
    [command({ triggers: ["1"] }), command({ triggers: { day: unknownYet } }), command({ triggers: unknownYet })],
    [],
  ],
]);

casesOf("package-versions", [
  [
    "bare names",
    [resource("PackageSet", { packages: ["numpy", { name: "pandas" }, "scipy==1.12.0", { name: "a", version: "1" }] })],
    ["it packages[0]", "it packages[1]"],
  ],
  [
    "versions that are not exact",
    [resource("PackageSet", { packages: ["numpy==1.*", { name: "pandas", version: "2.*" }] })],
    ["it packages[0]", "it packages[1]"],
  ],
  [
    "unknown entries and versions",
    [
      resource("PackageSet", { packages: [unknownYet, { name: "a", version: unknownYet }] }),
      resource("PackageSet", { packages: unknownYet }),
      resource("PackageSet", {}),
    ],
    [],
  ],
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
  const [message = ""] = messages(ruleOf("plaintext-secrets"), [store({ dbPasswd: "hidden" }, "dbPasswd")], {
    plainConfig: { hidden: "project:password" },
  });
  expect(message).toMatch(
    /^DataStore it: dbPasswd comes from project:password, which the stack's configuration does not encrypt\. What is not marked/,
  );
  expect(message).toMatch(
    /Run pulumi config set --secret project:password, .* \(node_modules\/pulumi-dataplatform\/docs\/policies\/plaintext-secrets\.md\)$/,
  );
  expect(message).not.toContain("hidden");
});
