import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { parse } from "yaml";
import { root, run } from "../harness/engine";

/* An example is a project: it names all that it needs, so a copy of its folder runs anywhere. */

const folder = join(root, "examples");
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const read = (name: string, file: string): string => readFileSync(join(folder, name, file), "utf8");
const described = (name: string) => JSON.parse(read(name, "package.json")) as Description;

interface Description {
  readonly name: string;
  readonly main?: string;
  readonly dependencies: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

const { version, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  peerDependencies: Record<string, string>;
};

const sources = (name: string): string[] => readdirSync(join(folder, name)).filter((file) => file.endsWith(".ts"));

test.each(names)("%s names its project, its program and its dependencies", (name) => {
  const project = parse(read(name, "Pulumi.yaml")) as { name: string; runtime: string | { name: string } };
  const { main, dependencies, devDependencies = {} } = described(name);
  expect(project.name).toMatch(name === "gitops" ? /^platform$/ : name === "template" ? /PROJECT/ : `${name}`);
  expect(dependencies).toMatchObject({ ...peerDependencies, "pulumi-dataplatform": `^${version}` });
  if (name === "yaml") return expect(project.runtime).toBe("yaml");
  expect(project.runtime).toSatisfy((runtime) => runtime === "nodejs" || runtime.name === "nodejs");
  expect(main).toBe("index.ts");
  for (const needed of ["typescript", "@types/node"]) expect(devDependencies).toHaveProperty([needed]);
  for (const source of sources(name)) {
    const imports = [...read(name, source).matchAll(/from "([^"]+)"/g)].map(([, from]) => from!);
    for (const from of imports)
      if (from.startsWith(".")) expect(existsSync(join(folder, name, `${from}.ts`)), from).toBe(true);
      else expect(dependencies).toHaveProperty([from]);
  }
});

test("all have the same versions and the same compiler options", () => {
  const programs = names.filter((name) => name !== "yaml");
  const versions = new Set(
    programs.map((name) => {
      const { dependencies, devDependencies } = described(name);
      return JSON.stringify({ dependencies, devDependencies });
    }),
  );
  expect(versions.size).toBe(1);
  const options = programs.map((name) => JSON.parse(read(name, "tsconfig.json")) as { compilerOptions: object });
  expect(new Set(options.map(({ compilerOptions }) => JSON.stringify(compilerOptions))).size).toBe(1);
});

/** In one run of the compiler: their options are the same. test/release/first-steps.test.ts runs one of them. */
test("copies compile with nothing but what they name", async () => {
  const copies = join(inject("npmProject"), "copies");
  const programs = names.filter((name) => name !== "yaml");
  for (const name of programs) cpSync(join(folder, name), join(copies, name), { recursive: true });
  const { compilerOptions } = JSON.parse(read("quickstart", "tsconfig.json")) as { compilerOptions: object };
  const config = { compilerOptions, files: programs.map((name) => `${name}/index.ts`) };
  writeFileSync(join(copies, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(inject("npmProject"), "node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", "."], { cwd: copies, env: process.env });
  expect(stdout).toBe("");
});
