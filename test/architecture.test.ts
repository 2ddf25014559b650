import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { resources } from "../provider/resources";
import { kebab } from "../provider/resources/load";
import { root } from "./harness/engine";

/** What each part may import besides itself: packages, and other parts by folder or module. Dependencies go one way. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "provider/api": ["zod", "undici"],
  "provider/core": ["zod", "provider/api"],
  "provider/values": ["zod"],
  "provider/platform": ["zod", "provider/api", "provider/core", "provider/values"],
  "provider/resources": ["zod", "provider/api", "provider/core", "provider/values", "provider/platform"],
  "provider/functions": ["zod", "provider/api", "provider/core", "provider/values", "provider/platform"],
  // Functions run in the program's process: sdk loads that one module, and only when a function is called.
  sdk: ["@pulumi/pulumi", "provider/local"],
  emulator: ["zod"],
};

const imports = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"([^"]+)"/g;

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => normalize(`${folder}/${name}`));
}

/** What a file imports: packages by name, our own modules by path. */
function importsOf(file: string): string[] {
  const code = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|`[^`]*`/gm, "");
  return [...code.matchAll(imports)]
    .map(([, from = ""]) => (from.startsWith(".") ? normalize(join(file, "..", from)) : from))
    .filter((from) => !from.startsWith("node:"));
}

describe("dependencies go one way", () => {
  test.each(Object.entries(allowed))("%s", (folder, others) => {
    const files = sources(folder);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      for (const from of importsOf(file)) {
        const fits = [folder, ...others].some((part) => from === part || from.startsWith(`${part}/`));
        expect(fits, `${file} must not import ${from}`).toBe(true);
      }
    }
  });

  test("only the CLI imports the emulator, and only tools import the generator", () => {
    for (const file of [...sources("provider"), ...sources("sdk"), ...sources("tools")]) {
      for (const from of importsOf(file)) {
        expect(from, file).not.toMatch(/^(emulator|cli|test)\b/);
        if (!file.startsWith("tools/")) expect(from, file).not.toMatch(/^tools\b/);
      }
    }
  });

  test("the state's __provider text loads only the provider; a program without functions loads no HTTP client", () => {
    const provider = loadedBy("pulumi-dataplatform/dynamic");
    expect(provider.filter((file) => /^dist\/(emulator|sdk|cli|tools)\//.test(file))).toEqual([]);
    expect(provider.filter((file) => file.includes("@pulumi"))).toEqual([]);
    expect(provider.filter((file) => file.startsWith("dist/provider/resources/"))).toEqual([
      "dist/provider/resources/load.js",
    ]);
    const sdk = loadedBy("pulumi-dataplatform");
    expect(sdk.filter((file) => /^dist\/(?!sdk\/)|node_modules\/(zod|undici)\//.test(file))).toEqual([]);
  });
});

test("definitions, and nothing else, are found by type name", () => {
  const { definitionOf } = createRequire(join(root, "package.json"))("./dist/provider/resources/load.js") as {
    definitionOf(type: string): { readonly type: string } | undefined;
  };
  expect(resources.map(({ type }) => definitionOf(type)?.type)).toEqual(resources.map(({ type }) => type));
  for (const wrong of ["", "Nothing", "Whitelist", "whitelistedIp", "Load", "Index", "../core/Lifecycle", "__proto__"])
    expect(definitionOf(wrong), wrong).toBeUndefined();
});

function loadedBy(module: string): string[] {
  const script = `require(${JSON.stringify(module)}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const output = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
  return (JSON.parse(output) as string[]).map((file) => file.replace(root, ""));
}

describe("a definition has everything that belongs to it", () => {
  test.each(resources.map(({ type }) => [type, kebab(type)]))("%s", (type, name) => {
    const parts = [
      `provider/resources/${name}.ts`,
      `test/resources/${name}.test.ts`,
      `examples/${name}/index.ts`,
      `examples/${name}/Pulumi.yaml`,
      `docs/resources/${name}.md`,
      `sdk/resources/${name}.ts`,
    ];
    expect(parts.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`docs/resources/${name}.md`);
    expect(readFileSync(join(root, `examples/${name}/index.ts`), "utf8")).toContain(`new dataplatform.${type}(`);
  });

  test("committed files match the generated ones", () => {
    const main = join(root, "dist/tools/generate/main.js");
    expect(() => execFileSync(process.execPath, [main, "--check"], { encoding: "utf8", stdio: "pipe" })).not.toThrow();
  });
});

test("files stay short", () => {
  const folders = ["provider", "sdk", "emulator", "cli", "tools", "test", "examples"];
  const generated = "// Generated by";
  for (const file of folders.flatMap(sources).filter((path) => !path.includes("node_modules"))) {
    const text = readFileSync(join(root, file), "utf8");
    if (!text.startsWith(generated)) expect(text.split("\n").length, file).toBeLessThanOrEqual(301);
  }
});
