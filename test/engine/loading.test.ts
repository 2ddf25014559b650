import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resources } from "../../provider/resources";
import { root } from "../harness/engine";

function loadedBy(...modules: readonly string[]): string[] {
  const loads = modules.map((module) => `require(${JSON.stringify(module)});`).join("");
  const script = `${loads} console.log(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  return (JSON.parse(output) as string[]).map((file) => file.replace(root, ""));
}

test("the state's __provider text loads only the provider; a program without functions loads no HTTP client", () => {
  const provider = loadedBy("pulumi-dataplatform/dynamic");
  expect(provider.filter((file) => /^dist\/(emulator|sdk|cli|tools)\//.test(file))).toEqual([]);
  expect(provider.filter((file) => file.includes("@pulumi"))).toEqual([]);
  expect(provider.filter((file) => file.startsWith("dist/provider/resources/"))).toEqual([
    "dist/provider/resources/load.js",
  ]);
  const sdk = loadedBy("pulumi-dataplatform");
  expect(sdk.filter((file) => /^dist\/(?!sdk\/)|node_modules\/(zod|undici)\//.test(file)).sort()).toEqual([
    "dist/provider/api/setting-specs.js",
    "dist/provider/engine/plugin-search.js",
    "dist/provider/values/closest.js",
  ]);
});

test("the plugin loads all of Pulumi, and components, only for a component", () => {
  const plugin = loadedBy(join(root, "dist/provider/plugin/server.js"));
  expect(plugin.filter((file) => /@pulumi\/pulumi\/(?!proto\/)/.test(file))).toEqual([]);
  expect(plugin.filter((file) => /^dist\/(sdk|provider\/components)\//.test(file))).toEqual([
    "dist/provider/components/secret-paths.js",
  ]);
});

test("the plugin starts without the library of gRPC, and without zod's messages in other languages", () => {
  const setUp = join(root, "dist/provider/plugin/process-setup.js");
  const plugin = loadedBy(setUp, join(root, "dist/provider/plugin/server.js"));
  expect(plugin.filter((file) => /node_modules\/@grpc\//.test(file))).toEqual([]);
  expect(plugin.filter((file) => /zod\/v4\/locales\/(?!index|en\b)/.test(file))).toEqual([]);
  expect(plugin.some((file) => file.endsWith("zod/v4/locales/en.cjs"))).toBe(true);
});

test("the policy pack, which starts with every preview, loads Pulumi's stubs and nothing else that is large", () => {
  const pack = loadedBy(join(root, "dist/policies/server.js"));
  expect(pack.filter((file) => /node_modules\/(zod|undici|yaml|@grpc)\//.test(file))).toEqual([]);
  expect(pack.filter((file) => file.includes("@pulumi/policy"))).toEqual([]);
  expect(pack.filter((file) => /@pulumi\/pulumi\/(?!proto\/)/.test(file))).toEqual([]);
  const rules = loadedBy("pulumi-dataplatform/policies");
  expect(rules.filter((file) => file.includes("node_modules"))).toEqual([]);
});

test("a definition is found by the name of its type, and nothing else is", () => {
  const { definitionOf } = createRequire(join(root, "package.json"))("./dist/provider/resources/load.js") as {
    definitionOf(type: string): { readonly type: string } | undefined;
  };
  expect(resources.map(({ type }) => definitionOf(type)?.type)).toEqual(resources.map(({ type }) => type));
  for (const wrong of ["", "Nothing", "Whitelist", "whitelistedIp", "Load", "Index", "../core/Lifecycle", "__proto__"])
    expect(definitionOf(wrong), wrong).toBeUndefined();
});
