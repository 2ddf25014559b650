import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../harness/engine";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const inFolder = (folder: string): string[] => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

const pages = ["CONTRIBUTING.md", "AGENTS.md", "SECURITY.md", "CODE_OF_CONDUCT.md", ".github/PULL_REQUEST_TEMPLATE.md"];
const naming = [...pages, ...inFolder(".github/workflows"), ".devcontainer/devcontainer.json"];

test.each(naming)("%s names only scripts that exist", (path) => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...read(path).matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test.each(["CONTRIBUTING.md", "AGENTS.md"])("%s names only files and folders that exist", (path) => {
  const ours = /^\.?(provider|sdk|docs|emulator|cli|policies|tools|test|examples|github|devcontainer)\//;
  const named = [...read(path).matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!).filter((name) => ours.test(name));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test("setting up runs no scripts of packages: the release workflow does it too", () => {
  expect(read("tools/setup.mjs")).toMatch(/const options = \[.*"--ignore-scripts"/);
});

test("llms.txt names every page of the documentation", () => {
  const all = ["docs", "docs/resources", "docs/functions", "docs/policies"]
    .flatMap(inFolder)
    .filter((path) => path.endsWith(".md"));
  const text = read("llms.txt");
  expect(all.filter((path) => !text.includes(`](${path}): `))).toEqual([]);
});

test(".editorconfig agrees with Biome", () => {
  const { formatter } = JSON.parse(read("biome.json")) as {
    formatter: { indentStyle: string; indentWidth: number; lineWidth: number };
  };
  const [, all = ""] = /\[\*\]\n([\s\S]*?)\n\n/.exec(read(".editorconfig")) ?? [];
  expect(all).toContain(`indent_style = ${formatter.indentStyle}`);
  expect(all).toContain(`indent_size = ${formatter.indentWidth}`);
  expect(all).toContain(`max_line_length = ${formatter.lineWidth}`);
});

test.each(inFolder(".github/ISSUE_TEMPLATE").filter((path) => !path.endsWith("config.yml")))("%s is a form", (path) => {
  const form = parse(read(path)) as {
    name: string;
    description: string;
    body: { type: string; id?: string; attributes: object }[];
  };
  expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
  const ids = form.body.filter(({ type }) => type !== "markdown").map(({ id }) => id);
  expect(ids.every((id) => id !== undefined && /^[\w-]+$/.test(id))).toBe(true);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { type } of form.body) expect(["markdown", "textarea", "input", "dropdown", "checkboxes"]).toContain(type);
});
