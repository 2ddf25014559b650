import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, run } from "../../harness/engine";
import { ProjectCopy } from "../../harness/project-copy";
import { expectOk } from "../../harness/stacks";
import { step } from "../../harness/steps";

/**
 * A made-up resource takes the rows of the table in CONTRIBUTING.md and nothing else: made-up/ holds them, here they are
 * put into a copy of the project, and the resource lives there.
 */

const folder = join(__dirname, "made-up");
const rows = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".txt"))
  .map((path) => ({
    path: path.replaceAll("\\", "/").slice(0, -".txt".length),
    text: readFileSync(join(folder, path), "utf8"),
  }));

let project: ProjectCopy;
beforeAll(() => {
  project = new ProjectCopy();
  // A list gets the rows at its end, another file is new.
  for (const { path, text } of rows)
    if (project.has(path)) project.edit(path, (before) => before.replace(/(?=^[\]}].*;\n$(?![\s\S]))/m, text));
    else {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true });
      writeFileSync(join(project.folder, path), text);
    }
});
afterAll(() => project?.remove());

const inCopy = async (args: readonly string[], env = {}): Promise<string> => {
  const ran = await expectOk(run(process.execPath, args, { cwd: project.folder, env: { ...process.env, ...env } }));
  return ran.stdout;
};
const generated = step("generate", () => inCopy(["tools/generate.mjs"]));
const built = step("build", async () => {
  await generated();
  await inCopy(["tools/build.mjs"]);
});
test("these are the rows of the table", () => {
  const [, table = ""] =
    /## Add a resource\n([\s\S]*?)\n\n[^|\n]*\n\n(?!\|)/.exec(readFileSync(join(root, "CONTRIBUTING.md"), "utf8")) ??
    [];
  const named = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path!);
  const shapeOf = (path: string) => path.replaceAll("package-environment", "role");
  expect(named.toSorted()).toEqual(rows.map(({ path }) => shapeOf(path)).toSorted());
});

test("everything else is generated", async () => {
  const said = await generated();
  const made = said.match(/[\w./-]+\.(ts|md|json|yaml|txt)\b/g) ?? [];
  expect(made).toEqual(
    expect.arrayContaining([
      ...["README.md", "llms.txt", "docs/resources/package-environment.md"],
      ...["Pulumi.yaml", "package.json", "tsconfig.json"].map((name) => `examples/package-environment/${name}`),
      ...["provider/resources/index.ts", "emulator/extended/index.ts", "test/cases/all.ts"],
      ...["sdk/index.ts", "sdk/resources/package-environment.ts", "sdk/schema.json"],
      "test/release/languages/yaml/Pulumi.yaml",
    ]),
  );
  const changed = project.git("status", "--porcelain", "--untracked-files=all").match(/(?<=^.. ).+/gm) ?? [];
  expect(changed.toSorted()).toEqual([...rows.map(({ path }) => path), ...made].toSorted());
});

test("its parts are complete, its arguments and routes are tried, and it lives on the engine", async () => {
  await built();
  const fast = ["architecture.test.ts", "resources/cases.test.ts", "emulator/every-operation.test.ts"];
  const files = ["types.test.ts", "resources/extended-plugin.test.ts"].map((name) => `test/engine/${name}`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--reporter=verbose", "--no-color"];
  const said = await inCopy([...vitest, ...files, ...fast.map((name) => `test/fast/${name}`)], {
    RESOURCE: "PackageEnvironment",
  });
  expect(said).toContain("PackageEnvironment inputs with the extended API");
  expect(said).toContain("environments.create");
  expect(said).toContain("PackageEnvironment with the extended API, in plugin mode");
});
