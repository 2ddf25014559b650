import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ToolError } from "../lib/say.mjs";

/** Types, sources, maps and texts: nothing that Node loads. Licences stay. */
const unused = /(\.(ts|mts|cts|map|md|markdown|flow)|\.tsbuildinfo)$/;

/**
 * The files of the packages that the plugin loads, from the node_modules of the project.
 *
 * `@pulumi/pulumi` weighs 200 MB with all it depends on; the plugin uses its gRPC stubs (provider/plugin/stubs.ts), and
 * those need the two packages named here.
 * @param {string} root
 * @returns {string[]} paths in the project, with forward slashes
 */
export function pluginPackages(root) {
  const folders = closure(root, [
    { name: "undici", from: "" },
    { name: "zod", from: "" },
    { name: "@grpc/grpc-js", from: "node_modules/@pulumi/pulumi" },
    { name: "google-protobuf", from: "node_modules/@pulumi/pulumi" },
  ]);
  const pulumi = "node_modules/@pulumi/pulumi";
  const stubs = [`${pulumi}/package.json`, `${pulumi}/LICENSE`, ...filesUnder(root, `${pulumi}/proto`)];
  return [...stubs, ...folders.flatMap((folder) => filesUnder(root, folder))].filter(
    (path) => !unused.test(path) && existsSync(join(root, path)),
  );
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

/**
 * @param {string} root
 * @param {string} folder
 * @returns {string[]} its files, without those of packages inside it
 */
export function filesUnder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesUnder(root, path);
    return entry.isFile() ? [path] : [];
  });
}
