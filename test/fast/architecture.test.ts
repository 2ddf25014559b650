import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { resources } from "../../provider/resources";
import { kebab } from "../../provider/resources/load";
import { root } from "../harness/engine";
import { rooms } from "./architecture-rooms";

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

  test("no file reaches itself by its imports, not even by types", () => {
    const known = new Set(files);
    const fileOf = (from: string) => [`${from}.ts`, `${from}/index.ts`].find((file) => known.has(file));
    const edges = new Map(files.map((file) => [file, importsOf(file).flatMap((from) => fileOf(from) ?? [])]));
    const settled = new Set<string>();
    const follow = (file: string, way: readonly string[]): void => {
      if (settled.has(file)) return;
      expect(way, "a circle of imports").not.toContain(file);
      for (const next of edges.get(file) ?? []) if (next !== file) follow(next, [...way, file]);
      settled.add(file);
    };
    for (const file of files) follow(file, []);
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

describe("a definition has everything that belongs to it", () => {
  test.each(resources.map(({ type }) => [type, kebab(type)]))("%s", (type, name) => {
    const parts = [
      `provider/resources/${name}.ts`,
      `test/cases/${name}.ts`,
      `examples/${name}/index.ts`,
      `examples/${name}/Pulumi.yaml`,
      `docs/resources/${name}.md`,
      `sdk/resources/${name}.ts`,
    ];
    expect(parts.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(`docs/resources/${name}.md`);
    expect(readFileSync(join(root, `examples/${name}/index.ts`), "utf8")).toContain(`new dataplatform.${type}(`);
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
