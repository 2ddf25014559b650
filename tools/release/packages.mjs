import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../lib/say.mjs";
import { modulesFrom } from "./modules.mjs";

/** Types, sources, maps and texts, and second copies as ES modules: nothing that Node loads. Licences stay. */
const unused = /(\.(ts|mts|cts|map|md|markdown|flow)|\.tsbuildinfo)$|\/@opentelemetry\/api\/build\/(esm|esnext)\//;

const pulumi = "node_modules/@pulumi/pulumi";

/** Modules that Pulumi's SDK loads and no component uses. With them would come TypeScript, npm and 190 MB more. */
const leftOut = [
  "automation/index",
  "provider/index",
  "runtime/closure/codePaths",
  "runtime/closure/serializeClosure",
].map((name) => `${pulumi}/${name}.js`);

/** What is in the archive in their place. Says so, as Pulumi's licence asks of changed files. */
export const placeholders = leftOut.map((path) => ({
  path,
  content: Buffer.from("// Left out of this archive by pulumi-dataplatform: its components do not use it.\n"),
}));

/**
 * The files of the packages that the plugin loads, from the node_modules of the project. Of `@pulumi/pulumi`, which
 * weighs 200 MB with all it depends on, these are the gRPC stubs and what a component needs.
 * @param {string} root
 * @returns {string[]} paths in the project, with forward slashes
 */
export function pluginPackages(root) {
  const sdk = modulesFrom(root, [`${pulumi}/index.js`], leftOut);
  const folders = closure(root, [
    { name: "undici", from: "" },
    { name: "zod", from: "" },
    ...sdk.packages.map((name) => ({ name, from: pulumi })),
  ]);
  const whole = [`${pulumi}/proto`, ...folders].flatMap((folder) => filesUnder(root, folder));
  const files = new Set([`${pulumi}/package.json`, `${pulumi}/LICENSE`, ...sdk.files, ...whole]);
  return [...files].filter((path) => !unused.test(path) && existsSync(join(root, path)));
}

/**
 * @param {string} root
 * @param {{ name: string, from: string }[]} wanted
 * @returns {string[]} the folders of the packages and of all they depend on
 */
function closure(root, wanted) {
  /** @type {Set<string>} */
  const found = new Set();
  const queue = [...wanted];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const folder = resolve(root, next.name, next.from);
    if (found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    queue.push(...Object.keys(dependencies).map((name) => ({ name, from: folder })));
  }
  return [...found];
}

/**
 * As Node does: in the node_modules of the package that asks, then of the folders above it.
 * @param {string} root
 * @param {string} name
 * @param {string} from
 */
function resolve(root, name, from) {
  for (let folder = from; ; folder = dirname(folder) === "." ? "" : dirname(folder)) {
    const candidate = `${folder ? `${folder}/` : ""}node_modules/${name}`;
    if (existsSync(join(root, candidate, "package.json"))) return candidate;
    if (folder === "") throw new ToolError("NOT_INSTALLED", `the package ${name} is not installed. Run: npm ci`);
  }
}

/** @param {string} root @param {string} folder @returns {string[]} its files, without those of packages inside it */
export function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesUnder(root, path);
    return entry.isFile() ? [path] : [];
  });
}
