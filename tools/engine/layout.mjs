import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { attempt } from "../lib/attempt.mjs";
import { run } from "../lib/run.mjs";

/** The version to build or download. */
export const engineVersion = "3.259.0";

export const modulesFolder = fileURLToPath(new URL(".", import.meta.url));

const isWindows = process.platform === "win32";
const exe = isWindows ? ".exe" : "";

export const files = {
  cli: `pulumi${exe}`,
  nodejs: `pulumi-language-nodejs${exe}`,
  yaml: `pulumi-language-yaml${exe}`,
  python: `pulumi-language-python${exe}`,
  /** A script that the Python host starts: it runs the program. */
  pythonExec: "pulumi-language-python-exec",
  go: `pulumi-language-go${exe}`,
  /** Starts the process for dynamic resources. */
  launcher: `pulumi-resource-pulumi-nodejs${isWindows ? ".cmd" : ""}`,
};

/** Written last, and names the parts that are whole: what it does not name was not finished. */
const stampName = ".complete";

/** The parts of an engine, each a command that Go builds; `module` is the folder of the go.mod that holds its versions. */
export const parts = /** @type {const} */ ([
  {
    name: "cli",
    module: "cli",
    files: [files.cli],
    title: "the Pulumi CLI",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    versionVariable: `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${engineVersion}`,
    minutes: 8,
  },
  {
    name: "nodejs",
    module: "hosts",
    files: [files.nodejs, files.launcher],
    title: "the Node language host",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.68.0",
    minutes: 1,
  },
  {
    name: "yaml",
    module: "cli",
    files: [files.yaml],
    title: "the YAML language host",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    versionVariable: "github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.38.1",
    minutes: 1,
  },
  {
    name: "python",
    module: "hosts",
    files: [files.python, files.pythonExec],
    title: "the Python language host",
    package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.68.0",
    minutes: 1,
    sources: ["hosts/pulumi-language-python.sh"],
  },
  {
    name: "go",
    module: "go",
    files: [files.go],
    title: "the Go language host",
    package: "github.com/pulumi/pulumi/sdk/v3/go/pulumi-language-go",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.60.1",
    minutes: 1,
  },
]);

/** @typedef {(typeof parts)[number]["name"]} PartName */

/** Every part there is. */
export const knownParts = parts.map(({ name }) => name);

/** Hosts that only the tests of their language need, and get when they run. */
const onDemand = /** @type {readonly PartName[]} */ (["python", "go"]);

/** What one gets without asking for single parts. */
export const allParts = knownParts.filter((name) => !onDemand.includes(name));

/** What a program in TypeScript or JavaScript needs. */
export const nodeParts = /** @type {PartName[]} */ (["cli", "nodejs"]);

/** The user's cache folder. */
export function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const usual = join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
  return join(XDG_CACHE_HOME || (isWindows && LOCALAPPDATA) || usual, "pulumi-dataplatform");
}

/**
 * The folder of our own engine; it depends on version, build recipe and platform. The recipes of hosts that are built on
 * demand are in its stamp instead: a new one must not build everything else again.
 */
export function cachedEngine() {
  const name = `${engineVersion}-${process.platform}-${process.arch}-${recipeOf(allParts)}`;
  return join(cacheFolder(), "engine", name);
}

/** What go.mod says decides what is built; go.sum only proves it. @param {readonly PartName[]} names */
function recipeOf(names) {
  const chosen = parts.filter(({ name }) => names.includes(name));
  const modules = new Set(chosen.map(({ module }) => `${module}/go.mod`));
  const sources = chosen.flatMap((part) => ("sources" in part ? part.sources : []));
  return fingerprint([...modules, ...sources].map((path) => join(modulesFolder, path)));
}

/** @param {readonly string[]} paths of text files @returns {string} a name for their contents */
export function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path, "utf8").replaceAll("\r\n", "\n"));
  return hash.digest("hex").slice(0, 12);
}

/**
 * @param {string} folder
 * @param {readonly PartName[]} wanted
 * @returns {string[]} names of the files of those parts that the folder does not hold
 */
export function missingIn(folder, wanted) {
  return filesOf(wanted).filter((name) => !isExecutable(join(folder, name)));
}

/** @param {readonly PartName[]} wanted @returns {string[]} */
export function filesOf(wanted) {
  return parts.filter((part) => wanted.includes(part.name)).flatMap((part) => part.files);
}

/** @param {string} folder an engine of ours @returns {PartName[]} the parts that are whole */
export function finishedParts(folder) {
  const stamp = readStamp(join(folder, stampName));
  const isCurrent = (/** @type {PartName} */ name) =>
    !onDemand.includes(name) || stamp?.origin === "download" || stamp?.recipes?.[name] === recipeOf([name]);
  return stamp ? (stamp.parts ?? allParts).filter((name) => isCurrent(name) && isWhole(folder, name)) : [];
}

/** @param {string} folder @returns {PartName[]} the parts whose files are there */
export function partsIn(folder) {
  return knownParts.filter((name) => isWhole(folder, name));
}

/** @param {string} folder @param {PartName} name */
function isWhole(folder, name) {
  return missingIn(folder, [name]).length === 0;
}

/**
 * @param {string} path
 * @returns {{ origin?: string, parts?: PartName[], recipes?: Record<string, string> } | undefined} without `parts`, all of them were made: stamps once named none
 */
const readStamp = (path) => attempt(() => JSON.parse(readFileSync(path, "utf8")));

/** @param {string} folder @param {{ origin: string, parts: PartName[] }} made */
export function writeStamp(folder, made) {
  const staging = join(folder, `${stampName}.tmp`);
  const recipes = Object.fromEntries(
    made.parts.filter((name) => onDemand.includes(name)).map((name) => [name, recipeOf([name])]),
  );
  writeFileSync(staging, `${JSON.stringify({ version: engineVersion, ...made, recipes })}\n`);
  renameSync(staging, join(folder, stampName));
}

/** @param {string} path */
export function isExecutable(path) {
  const isFile = attempt(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  });
  return isFile ?? false;
}

/** @param {string} folder @returns {Promise<string | undefined>} the output of `pulumi version`, without the v */
export async function versionOf(folder) {
  const answer = await run(join(folder, files.cli), ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 30_000,
  });
  return answer.code === 0 ? /^v?(\d+\.\d+\.\d+\S*)/.exec(answer.stdout.trim())?.[1] : undefined;
}
