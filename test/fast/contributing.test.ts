import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test.each(["CONTRIBUTING.md", "AGENTS.md", "ARCHITECTURE.md"])("%s names only files and folders that exist", (path) => {
  const ours = /^\.?(provider|sdk|docs|emulator|cli|policies|tools|test|examples|github|devcontainer)\//;
  const named = [...read(path).matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!).filter((name) => ours.test(name));
  expect(named.length).toBeGreaterThan(path === "ARCHITECTURE.md" ? 30 : 5);
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

const architecture = read("ARCHITECTURE.md");

/** The rows of the tables that name a file and functions in it. */
const steps = [...architecture.matchAll(/^\| `([\w./-]+\.ts)` \| ((?:`\w+`(?:, )?)+) \|/gm)].map(
  ([, file = "", names = ""]): [file: string, names: string[]] => [
    file,
    [...names.matchAll(/\w+/g)].map(([name]) => name),
  ],
);

test("the flows of ARCHITECTURE.md go from the program to the API", () => {
  const flows = ["sdk/runtime.ts", "provider/dynamic.ts", "provider/plugin/server.ts", "provider/api/client.ts"];
  expect(steps.map(([file]) => file)).toEqual(expect.arrayContaining(flows));
});

test.each(steps)("%s has %s", (file, names) => {
  const code = read(file);
  const isDefined = (name: string) =>
    new RegExp(`\\b${name}(<[^(]*>)?(\\(|: (?:v2\\.)?(?:get|post|put|remove)\\()|\\bconst ${name} =`).test(code);
  expect(names.filter((name) => !isDefined(name))).toEqual([]);
});
