import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { functions } from "../../provider/functions";
import { resources } from "../../provider/resources";
import { resourcePage } from "./docs";
import { functionPage } from "./function-docs";
import { functionModelOf } from "./function-model";
import { functionFile, functionTableRow } from "./function-sdk";
import { llmsFile } from "./llms";
import { modelOf, type Shape } from "./model";
import { providerClass } from "./provider-class";
import { packageSchema } from "./schema";
import { indexFile, resourceClass, resourceTableRow, typesFile } from "./sdk";

const root = resolve(__dirname, "../../..");
/** Modules of sdk/ that are written by hand and exported beside the classes. */
const handWritten = ["./command-history", "./explain", "./invoke-options"];
/** Folders that hold nothing but generated files: what is not generated any more is removed there. */
const generatedFolders = ["sdk/resources", "sdk/functions", "docs/resources", "docs/functions"];

/** Every generated file, by its path in the project. */
export function generate(): Map<string, string> {
  const types = new Map<string, Shape>();
  const models = resources.map((definition) => modelOf(definition, types));
  const functionModels = functions.map((definition) => functionModelOf(definition, types));
  const files = new Map<string, string>();
  for (const model of models) {
    const example = exampleOf(model.file);
    files.set(`sdk/resources/${model.file}.ts`, resourceClass(model, example));
    files.set(`docs/resources/${model.file}.md`, resourcePage(model, example, types));
  }
  for (const model of functionModels) {
    const example = exampleOf(model.file);
    files.set(`sdk/functions/${model.file}.ts`, functionFile(model, example));
    files.set(`docs/functions/${model.file}.md`, functionPage(model, example, types));
  }
  files.set("sdk/types.ts", typesFile(types));
  files.set(
    "sdk/index.ts",
    indexFile([
      ...models.map(({ file }) => `./resources/${file}`),
      ...functionModels.map(({ file }) => `./functions/${file}`),
      "./provider",
      ...handWritten,
    ]),
  );
  files.set("sdk/provider.ts", providerClass());
  files.set("sdk/schema.json", packageSchema(resources, functions, join(root, "package.json")));
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const withResources = filled(readme, "resources", resourceTable(models.map(resourceTableRow)));
  files.set("README.md", filled(withResources, "functions", functionTable(functionModels.map(functionTableRow))));
  files.set("llms.txt", llmsFile({ root, resources: models, functions: functionModels }));
  return formatted(files);
}

function exampleOf(file: string): string {
  const path = join(root, "examples", file, "index.ts");
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function resourceTable(rows: readonly string[]): string {
  return [
    "| resource | what it is | refresh sees it | can be changed | destroy removes it | import id |",
    "|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function functionTable(rows: readonly string[]): string {
  return ["| function | what it does | at preview |", "|---|---|---|", ...rows].join("\n");
}

/** The text with what stands between the two marks of that name replaced. */
function filled(readme: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  return readme.replace(new RegExp(`${begin}[\\s\\S]*?${end}`), () => `${begin}\n${text}\n${end}`);
}

/** Formatted as `npm run format` would: so that a second run, and the check, find nothing to change. */
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

/** Paths whose committed text is not what would be generated. */
export function outdated(files: ReadonlyMap<string, string>): string[] {
  const stale = [...files]
    .filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text)
    .map(([path]) => path);
  return [...stale, ...left(files)];
}

function left(files: ReadonlyMap<string, string>): string[] {
  return generatedFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => !files.has(path));
}

if (require.main === module) {
  const files = generate();
  const changed = outdated(files);
  if (process.argv.includes("--check")) {
    if (changed.length > 0) {
      console.error(`not current, run "npm run generate": ${changed.join(", ")}`);
      process.exitCode = 1;
    }
  } else {
    for (const path of left(files)) rmSync(join(root, path));
    for (const [path, text] of files) write(root, path, text);
    console.log(changed.length > 0 ? `generated ${changed.join(", ")}` : "everything generated is current");
  }
}
