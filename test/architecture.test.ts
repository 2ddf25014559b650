import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { resources } from "../provider/resources";
import { kebab } from "../provider/resources/load";
import { root } from "./harness/engine";

const definitions = ["zod", "provider/api", "provider/core", "provider/values", "provider/platform"];
const pulumiStubs = ["@pulumi/pulumi", "@grpc/grpc-js", "google-protobuf"];
const command = [
  "cli/terminal",
  "cli/report",
  "cli/pulumi",
  "cli/platform",
  "cli/inventory",
  "cli/errors",
  "cli/version",
];

/**
 * The rooms, and what each may import besides itself: packages, and other rooms. A room is a folder, a module, or both.
 * Dependencies go one way, and no adapter (dynamic, plugin, local) and no command of the CLI imports another.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  "provider/api": ["zod", "undici"],
  "provider/values": ["zod"],
  "provider/core": ["zod", "provider/api", "provider/values"],
  "provider/platform": ["zod", "provider/api", "provider/core", "provider/values"],
  "provider/resources": definitions,
  "provider/functions": definitions,
  "provider/components": [...definitions, "provider/resources"],
  "provider/engine": [...pulumiStubs, "provider/core"],
  "provider/dynamic": ["provider/api", "provider/core", "provider/engine", "provider/resources"],
  "provider/plugin": [
    ...pulumiStubs,
    "provider/api",
    "provider/core",
    "provider/engine",
    "provider/resources",
    "provider/functions",
    "provider/components",
    // Construct runs the component's class, which is the same for every language.
    "sdk/components",
  ],
  "provider/local": ["provider/api", "provider/core", "provider/functions"],
  "provider/environment-files": ["yaml", "provider/core", "provider/components"],
  // Functions run in the program's own process, and environments are checked there: sdk loads these when they are used.
  sdk: ["@pulumi/pulumi", "provider/local", "provider/environment-files", "provider/components"],
  emulator: ["zod"],
  "cli/terminal": ["provider/api/parallel"],
  "cli/report": ["cli/terminal"],
  "cli/pulumi": ["zod", "yaml", "cli/terminal", "provider/api", "provider/core", "provider/resources"],
  "cli/platform": ["cli/terminal", "cli/pulumi", "provider/api", "provider/core", "provider/functions"],
  "cli/inventory": [
    "cli/terminal",
    "cli/pulumi",
    "cli/platform",
    "provider/api",
    "provider/core",
    "provider/platform",
    "provider/values",
  ],
  "cli/errors": [],
  "cli/version": [],
  "cli/access": [
    ...command,
    "zod",
    "provider/api",
    "provider/core",
    "provider/values",
    "provider/platform",
    // explain, without Pulumi: access is a report of what it says.
    "sdk/prepared-policy",
  ],
  "cli/doctor": [...command, "zod", "provider/api", "provider/values"],
  "cli/drift": [...command, "zod", "provider/api", "provider/core", "provider/values", "provider/platform"],
  "cli/export": [...command, "provider/api", "provider/core", "provider/resources"],
  "cli/conform": [
    ...command,
    "zod",
    "emulator/readings",
    "emulator/extended/readings",
    "provider/api",
    "provider/core",
    "provider/values",
  ],
  "cli/rehearse": [
    ...command,
    "zod",
    "yaml",
    // The stage of a rehearsal.
    "emulator",
    "provider/api",
    "provider/core",
    "provider/values",
    "provider/platform",
  ],
  "cli/emulator": [...command, "emulator"],
  "cli/main": [
    "cli/access",
    "cli/doctor",
    "cli/drift",
    "cli/rehearse",
    "cli/export",
    "cli/conform",
    "cli/emulator",
    "cli/errors",
    "cli/version",
  ],
  // Starts with every preview: only what loads without zod, and Pulumi's stubs.
  policies: [
    "@pulumi/pulumi",
    "google-protobuf",
    "provider/core/signatures",
    "provider/core/type-token",
    "provider/engine/from-pulumi",
    "provider/engine/engine-watch",
    "provider/values",
  ],
  "tools/generate": [
    "zod",
    "policies",
    "provider/api/settings",
    "provider/core",
    "provider/values",
    "provider/resources",
    "provider/functions",
    "provider/components",
  ],
};

/** Static imports, `import()` and `require`; not the text of generated code, which is quoted otherwise. */
const imports = /(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"([^"]+)"/g;

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => normalize(`${folder}/${name}`));
}

function isIn(room: string, module: string): boolean {
  return module === room || module.startsWith(`${room}/`);
}

function codeOf(file: string): string {
  return readFileSync(join(root, file), "utf8").replace(
    /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|`[^`]*`|'import [^']*'|"import"/gm,
    "",
  );
}

/** What a file imports: packages by name, our own modules by their path in the project. */
function importsOf(file: string): string[] {
  return [...codeOf(file).matchAll(imports)]
    .map(([, from = ""]) => (from.startsWith(".") ? normalize(join(file, "..", from)).replace(/\.js$/, "") : from))
    .filter((from) => !from.startsWith("node:"));
}

describe("dependencies go one way", () => {
  const files = ["provider", "sdk", "emulator", "cli", "policies", "tools/generate"].flatMap(sources);

  test.each(Object.entries(rooms))("%s", (room, others) => {
    const own = files.filter((file) => isIn(room, file.replace(/\.ts$/, "")));
    expect(own.length).toBeGreaterThan(0);
    for (const file of own)
      for (const from of importsOf(file)) {
        const fits = [room, ...others].some((part) => isIn(part, from));
        expect(fits, `${file} must not import ${from}`).toBe(true);
      }
  });

  test("every file is in one room", () => {
    const roomsOf = (file: string) => Object.keys(rooms).filter((room) => isIn(room, file.replace(/\.ts$/, "")));
    expect(files.filter((file) => roomsOf(file).length !== 1)).toEqual([]);
  });

  test("no two rooms import each other, however long the way", () => {
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      Object.keys(rooms)
        .filter((room) => room !== from && (rooms[from] ?? []).some((part) => isIn(room, part)))
        .some((room) => {
          if (room === to) return true;
          if (seen.has(room)) return false;
          seen.add(room);
          return reaches(room, to, seen);
        });
    expect(Object.keys(rooms).filter((room) => reaches(room, room))).toEqual([]);
  });

  test("no definition imports another", () => {
    for (const room of ["provider/resources", "provider/functions"])
      for (const file of sources(room).filter((path) => !path.endsWith("/index.ts")))
        expect(
          importsOf(file).filter((from) => isIn("provider/resources", from) || isIn("provider/functions", from)),
          file,
        ).toEqual([]);
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

  test("the plugin loads all of Pulumi, and components, only for a component", () => {
    const plugin = loadedBy(join(root, "dist/provider/plugin/server.js"));
    expect(plugin.filter((file) => /@pulumi\/pulumi\/(?!proto\/)/.test(file))).toEqual([]);
    expect(plugin.filter((file) => /^dist\/(sdk|provider\/components)\//.test(file))).toEqual([
      "dist/provider/components/secret-paths.js",
    ]);
  });

  test("the policy pack, which starts with every preview, loads Pulumi's stubs and nothing else that is large", () => {
    const pack = loadedBy(join(root, "dist/policies/server.js"));
    expect(pack.filter((file) => /node_modules\/(zod|undici|yaml|@grpc)\//.test(file))).toEqual([]);
    expect(pack.filter((file) => file.includes("@pulumi/policy"))).toEqual([]);
    expect(pack.filter((file) => /@pulumi\/pulumi\/(?!proto\/)/.test(file))).toEqual([]);
    const rules = loadedBy("pulumi-dataplatform/policies");
    expect(rules.filter((file) => file.includes("node_modules"))).toEqual([]);
  });
});

describe("one convention", () => {
  test("relative imports name no extension; only import() does, because Node itself resolves it", () => {
    const folders = ["provider", "sdk", "emulator", "cli", "policies", "tools", "test", "examples"];
    for (const file of folders.flatMap(sources).filter((path) => !path.includes("node_modules"))) {
      const named = [...codeOf(file).matchAll(/\bfrom\s*"(\.[^"]*)"/g)].map(([, from = ""]) => from);
      expect(
        named.filter((from) => /\.[jt]s$|\/index$/.test(from)),
        file,
      ).toEqual([]);
    }
  });

  test.each([
    ["provider/resources", "defineResource(", ["index.ts", "load.ts"]],
    ["policies/rules", "= defineRule", ["index.ts"]],
    ["provider/functions", "defineFunction(", ["index.ts"]],
  ])("%s holds one definition per file, and how to find it", (folder, define, registry) => {
    for (const file of readdirSync(join(root, folder)).filter((name) => !registry.includes(name)))
      expect(codeOf(`${folder}/${file}`).split(define).length - 1, file).toBe(1);
  });
});

test("a definition is found by the name of its type, and nothing else is", () => {
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
      `test/resources/cases/${name}.ts`,
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
  const folders = ["provider", "sdk", "emulator", "cli", "policies", "tools", "test", "examples"];
  const generated = "// Generated by";
  for (const file of folders.flatMap(sources).filter((path) => !path.includes("node_modules"))) {
    const text = readFileSync(join(root, file), "utf8");
    if (!text.startsWith(generated)) expect(text.split("\n").length, file).toBeLessThanOrEqual(301);
  }
});
