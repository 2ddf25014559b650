import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import * as command from "../../../cli/export";
import { plan } from "../../../cli/export/declare";
import { type Exported, filesFor } from "../../../cli/export/files";
import { type Layout, layoutOf } from "../../../cli/export/layout";
import { nextSteps } from "../../../cli/export/next-steps";
import { readOptions } from "../../../cli/export/options";
import { pythonName } from "../../../cli/export/python";
import type { Environment } from "../../../cli/export/read";
import { Names } from "../../../cli/pulumi/names";
import { inside } from "../../harness/command";
import { freshEmulator } from "../../harness/emulators";
import { testFolder } from "../../harness/folders";
import { envOf } from "./stacks";

const emulator = freshEmulator();
const folder = testFolder();
const provider = "urn:pulumi:dev::shop::pulumi:providers:dataplatform::research";

function projectIn(runtime: string): string {
  const project = join(folder, runtime);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "Pulumi.yaml"), `name: shop\nruntime: ${runtime}\n`);
  return project;
}

function layoutFor(runtime: string, to: string): Layout {
  const project = projectIn(runtime);
  return layoutOf(readOptions(["--missing", "--stack", "dev", "--cwd", project, join(project, to)]));
}

/** Two accounts of one stack, the second by a provider. */
function exported(environment: Partial<Environment> = {}): readonly Exported[] {
  const names = new Names();
  return ["main", "research"].map((label, index) => {
    const read = { objects: [], refused: [], whitelist: [{ id: 1, ipCidr: "192.0.2.1" }], ...environment };
    const adopter = { stack: "dev", provider: index === 0 ? undefined : provider };
    const account = { platform: "https://api.example.com", id: "1", name: label, clients: [], holders: [], adopter };
    const target = { account, label, isDynamic: index === 0, managers: { holders: [], accountHolders: [] } };
    return { target, environment: read, plan: plan(read, names) };
  });
}

const project = { name: "shop", missing: true };

describe("for a project in Python", () => {
  test("each account gets a module, which the program calls with its provider", () => {
    const layout = layoutFor("python", "adopted");
    const { texts } = filesFor(exported(), layout, project);
    const files = ["main", "research"].flatMap((account) => [`${account}/__init__.py`, `${account}/import.json`]);
    expect(Object.keys(texts).sort()).toEqual(files);
    expect(texts["main/__init__.py"]).toContain(
      '    dataplatform.WhitelistedIp("ip-192-0-2-1", ip_cidr="192.0.2.1", opts=adopted)\n',
    );
    const second = { type: "dataplatform:index:WhitelistedIp", name: "ip-192-0-2-1-2", id: "1", provider: "research" };
    const imported = { nameTable: { research: provider }, resources: [second] };
    expect(JSON.parse(texts["research/import.json"]!)).toEqual(imported);
    expect(nextSteps(exported(), layout)).toBe(`2 resources of 2 accounts written to ${layout.folder}. Next:

Add to the program (which needs import pulumi), where it has the provider:

  from adopted.main import resources as adopted_main
  if pulumi.get_stack() == "dev": adopted_main()
  from adopted.research import resources as adopted_research
  if pulumi.get_stack() == "dev": adopted_research(pulumi.ResourceOptions(provider=research))

Then, in ${layout.project}:

  pulumi import --file ./adopted/main/import.json --generate-code=false --yes --stack dev
  pulumi import --file ./adopted/research/import.json --generate-code=false --yes --stack dev
  pulumi preview --expect-no-changes --stack dev
`);
  });

  test("the module is valid Python for any names on the platform, and executes none of them", () => {
    const evil = `"""); import os; os._exit(7) #\n\u2028'\\ 🙂\u{e0001}\r${"x".repeat(80)}`;
    const environment = {
      account: { id: 1, name: evil, storageLocation: evil },
      users: [{ id: 1, email: evil }],
      tables: [{ name: evil, columns: [{ name: evil, type: evil }] }],
      refused: [{ what: evil, why: evil }],
      notes: [evil],
    };
    const { texts } = filesFor(exported(environment), layoutFor("python", "adopted"), project);
    const script = `
import ast, json, sys
parsed = ast.parse(sys.stdin.read())
calls = [node.value for node in parsed.body[-1].body if isinstance(node, ast.Expr)]
names = [keyword.value.value for call in calls for keyword in call.keywords if keyword.arg == "name"]
print(json.dumps([[type(node).__name__ for node in parsed.body], [ast.unparse(call.func) for call in calls], names]))`;
    const text = texts["main/__init__.py"]!;
    expect(text).not.toMatch(/^\S*import os/m);
    const ran = spawnSync("python3", ["-c", script], { input: text, encoding: "utf8" });
    // A machine is promised no Python.
    if (ran.error) return;
    expect([ran.status, ran.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ran.stdout)).toEqual([
      ["Import", "Import", "FunctionDef"],
      ["dataplatform.Account", "dataplatform.WhitelistedIp", "dataplatform.EnabledUser"],
      [evil],
    ]);
  });

  test.each(["../outside", "my-folder", "a/2b", "class", "."])("a folder %s cannot be imported", (to) => {
    expect(() => layoutFor("python", to)).toThrow(/^name a folder of .* such as .*adopted$/);
    expect(() => layoutFor("python", "platform")).toThrow(/^Python has a module platform already; name a folder/);
  });

  test("accounts have names that Python can import, and that stay different", () => {
    expect(["the-other", "1", "global", "x1"].map(pythonName)).toEqual(["the_other", "_1", "_global", "x1"]);
  });

  test("an export without a stack says that it has written TypeScript, and how to get Python", async () => {
    const here = vi.spyOn(process, "cwd").mockReturnValue(projectIn("python"));
    const ran = await inside(command, ["--skip", "users", join(folder, "own")], envOf(emulator));
    here.mockRestore();
    expect(ran.stderr).toBe(
      "warning: this is a project in TypeScript. For the one in python here: dataplatform export --missing ./adopted\n",
    );
  });
});

describe("for a project in a language that export does not write", () => {
  test("only the import files are written, and the next steps say before what each Pulumi does then", () => {
    for (const to of ["../platform", "platform"]) {
      const { texts } = filesFor(exported(), layoutFor("go", to), project);
      expect(Object.keys(texts)).toEqual(["main/import.json", "research/import.json"]);
    }
    const steps = nextSteps(exported(), layoutFor("go", "../platform"));
    expect(steps).toContain(`
  pulumi import --file ../platform/research/import.json --out imported-2.txt --yes --stack dev

The Pulumi that "npm run engine" builds cannot write them, and would fail after the import. With that one:

  pulumi import --file ../platform/main/import.json --generate-code=false --yes --stack dev
`);
    expect(steps).not.toMatch(/npm install|stack init|dataplatform:mode/);
  });

  test("in YAML, Pulumi always writes the declarations", () => {
    const steps = nextSteps(exported(), layoutFor("yaml", "."));
    expect(steps).toContain("pulumi import --file ./research/import.json --out imported-2.yaml --yes --stack dev\n");
    expect(steps).not.toContain("--generate-code");
  });
});

test("for a project in TypeScript: called in this stack only, and the plugin is named where the project does not", () => {
  const steps = nextSteps(exported(), layoutFor("nodejs", "own"));
  for (const words of [
    'Add to the program (which needs import * as pulumi from "@pulumi/pulumi"), where it has the provider:\n',
    '  if (pulumi.getStack() === "dev") ownMain();\n',
    "Add to the project file, for the import:\n\n  plugins: { providers: [{ name: dataplatform, path: ",
  ])
    expect(steps).toContain(words);
  const other = layoutFor("nodejs", "other");
  const plugins = "plugins: { providers: [{ name: dataplatform, path: . }] }";
  writeFileSync(join(folder, "nodejs/Pulumi.yaml"), `name: shop\nruntime: nodejs\n${plugins}\n`);
  expect(nextSteps(exported(), other)).not.toContain("for the import:");
});

test("a folder outside of a project in TypeScript gets a project of its own, as before", () => {
  expect(layoutFor("nodejs", "../own")).toMatchObject({ kind: "project", language: "nodejs" });
  expect(layoutFor("nodejs", "own")).toMatchObject({ kind: "module", language: "nodejs" });
});
