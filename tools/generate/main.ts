import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { rules } from "../../policies/rules";
import { components } from "../../provider/components";
import type { AnyResource } from "../../provider/core/define";
import { functions } from "../../provider/functions";
import { resources } from "../../provider/resources";
import { definitionOf, kebab } from "../../provider/resources/load";
import { componentPage } from "./component-docs";
import { environmentFileSchema } from "./component-schema";
import { componentArgs, componentTable } from "./component-sdk";
import { resourcePage, usedTypes } from "./docs";
import { completed } from "./example-declaration";
import { exampleProject } from "./example-project";
import { functionPage } from "./function-docs";
import { functionFile, functionTable } from "./function-sdk";
import { excerptSource, type LanguageExamples, languageExamples } from "./languages";
import { llmsFile } from "./llms";
import { componentModelOf, functionModelOf, modelOf, type Shape } from "./model";
import { filled, packagePages } from "./package-docs";
import { type RuleExamples, rulePage, ruleTable } from "./policy-docs";
import { providerClass } from "./provider-class";
import { packageSchema } from "./schema";
import { indexFile, resourceClass, resourceTable, typesFile } from "./sdk";

const root = resolve(__dirname, "../../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
/** Hand-written modules of sdk/ that are exported along with the classes. */
const handWritten = ["./assert-access", "./command-history", "./environments", "./explain", "./invoke-options"];
/** Folders that contain only generated files; files that are no longer generated are removed. */
const generatedFolders = [
  "sdk/resources",
  "sdk/functions",
  "docs/components",
  "docs/resources",
  "docs/functions",
  "docs/policies",
];

/** Every generated file, by path. */
export function generate(): Map<string, string> {
  const types = new Map<string, Shape>();
  const models = resources.map((definition) => naming(definition.type, () => modelOf(loadable(definition), types)));
  const functionModels = functions.map((one) => naming(one.name, () => functionModelOf(one, types)));
  const files = new Map<string, string>();
  const schemaWith = (examples: LanguageExamples): string =>
    packageSchema(resources, functions, components, { packageJson: join(root, "package.json"), examples, exampleOf });
  // The schema holds the examples, which are made with its types.
  const program = completed(readFileSync(join(root, excerptSource), "utf8"), models, exampleOf);
  files.set(excerptSource, program);
  const examples = languageExamples(program, JSON.parse(schemaWith(() => [])));
  for (const model of models) {
    const example = exampleOf(model.file);
    files.set(`sdk/resources/${model.file}.ts`, resourceClass(model, example));
    files.set(`docs/resources/${model.file}.md`, resourcePage(model, example, types, examples(model.type)));
  }
  const pageOf = (type: string): string | undefined => {
    const describing = models.find((model) => usedTypes(model, types).includes(type));
    return describing && `../resources/${describing.file}.md`;
  };
  for (const model of functionModels) {
    const example = exampleOf(model.file);
    files.set(`sdk/functions/${model.file}.ts`, functionFile(model, example));
    files.set(`docs/functions/${model.file}.md`, functionPage(model, example, types, examples(model.name), pageOf));
  }
  for (const model of [...models, ...functionModels])
    for (const [path, text] of exampleProject(model, root, version)) files.set(path, text);
  const componentModels = components.map((definition) => componentModelOf(definition, types));
  for (const model of componentModels) {
    files.set(`sdk/components/${model.file}-args.ts`, componentArgs(model));
    files.set(
      `docs/components/${model.file}.md`,
      componentPage(model, models, exampleOf("environment"), examples(model.type)),
    );
  }
  files.set("sdk/environment.schema.json", environmentFileSchema(componentModels[0]!));
  const linkOf = (type: string): string =>
    `[${type}](../resources/${models.find((model) => model.type === type)!.file}.md)`;
  for (const rule of rules) files.set(`docs/policies/${rule.name}.md`, rulePage(rule, ruleExamples(rule.name), linkOf));
  const policies = readFileSync(join(root, "docs/policies.md"), "utf8");
  files.set("docs/policies.md", filled(policies, "rules", ruleTable(rules)));
  for (const [path, text] of packagePages(root, exampleOf("whitelisted-ip"), examples)) files.set(path, text);
  files.set("sdk/types.ts", typesFile(types, files));
  files.set(
    "sdk/index.ts",
    indexFile([
      ...models.map(({ file }) => `./resources/${file}`),
      ...functionModels.map(({ file }) => `./functions/${file}`),
      ...componentModels.flatMap(({ file }) => [`./components/${file}`, `./components/${file}-args`]),
      "./provider",
      ...handWritten,
    ]),
  );
  files.set("sdk/provider.ts", providerClass());
  files.set("sdk/schema.json", schemaWith(examples));
  const tables = {
    resources: resourceTable(models),
    functions: functionTable(functionModels),
    components: componentTable(componentModels),
  };
  const readme = readFileSync(join(root, "README.md"), "utf8");
  files.set(
    "README.md",
    Object.entries(tables).reduce((page, [name, text]) => filled(page, name, text), readme),
  );
  files.set(
    "llms.txt",
    llmsFile({ root, resources: models, functions: functionModels, components: componentModels, rules }),
  );
  return formatted(files);
}

/** The adapters load a definition by the name of its file and its export. */
function loadable(definition: AnyResource): AnyResource {
  const { type } = definition;
  if (definitionOf(type) === definition) return definition;
  const name = type.charAt(0).toLowerCase() + type.slice(1);
  throw new Error(`provider/resources/${kebab(type)}.ts must export it as ${name}`);
}

/** Says of which definition an error is. */
function naming<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}

function exampleOf(file: string): string {
  const path = join(root, "examples", file, "index.ts");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function ruleExamples(name: string): RuleExamples {
  const example = (kind: string) => readFileSync(join(root, "examples/policies", kind, `${name}.ts`), "utf8");
  return { bad: example("bad"), good: example("good") };
}

/** Formats as `npm run format` would, so that a second run and the check find nothing to change. */
function formatted(files: Map<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "generate-"));
  try {
    const sources = [...files.keys()].filter((path) => /\.(ts|json)$/.test(path));
    for (const path of sources) write(folder, path, files.get(path)!);
    const biome = require.resolve("@biomejs/biome/bin/biome", { paths: [root] });
    const { $schema: _, vcs: __, files: ___, ...config } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    write(folder, "biome.json", JSON.stringify({ root: true, ...config }));
    execFileSync(process.execPath, [biome, "check", "--write", "--vcs-enabled=false", "."], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    for (const path of sources) files.set(path, readFileSync(join(folder, path), "utf8"));
    return files;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Paths whose committed text differs from the generated text. */
export function outdated(files: ReadonlyMap<string, string>): string[] {
  const changed = [...files]
    .filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text)
    .map(([path]) => path);
  return [...changed, ...leftovers(files)];
}

function leftovers(files: ReadonlyMap<string, string>): string[] {
  return generatedFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => !files.has(path));
}

function main(): void {
  const files = generate();
  const changed = outdated(files);
  if (process.argv.includes("--check")) {
    if (changed.length > 0) {
      console.error(`out of date, run "npm run generate": ${changed.join(", ")}`);
      process.exitCode = 1;
    }
  } else {
    for (const path of leftovers(files)) rmSync(join(root, path));
    for (const [path, text] of files) write(root, path, text);
    console.log(changed.length > 0 ? `generated ${changed.join(", ")}` : "all generated files are up to date");
  }
}

if (require.main === module)
  try {
    main();
  } catch (error) {
    console.error(`generate: ${(error as Error).message}`);
    process.exitCode = 1;
  }
