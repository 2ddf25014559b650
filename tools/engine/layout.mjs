import { createHash } from "node:crypto";
import { accessSync, constants, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
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
  /** Starts the process for dynamic resources. */
  launcher: `pulumi-resource-pulumi-nodejs${isWindows ? ".cmd" : ""}`,
};

/** Written last, and names the parts that are whole: what it does not name was not finished. */
const stampName = ".complete";

/** The parts of an engine, each a module that Go builds; `folder`, its name here, holds its go.mod and go.sum. */
export const parts = /** @type {const} */ ([
  {
    folder: "cli",
    files: [files.cli],
    title: "the Pulumi CLI",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    versionVariable: `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${engineVersion}`,
    minutes: 8,
  },
  {
    folder: "nodejs",
    files: [files.nodejs, files.launcher],
    title: "the Node language host",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.68.0",
    minutes: 1,
  },
  {
    folder: "yaml",
    files: [files.yaml],
    title: "the YAML language host",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    versionVariable: "github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.32.0",
    minutes: 2,
  },
]);

/** @typedef {(typeof parts)[number]["folder"]} PartName */

/** Everything: what the tests need. */
export const allParts = parts.map(({ folder }) => folder);

/** What a program in TypeScript or JavaScript needs. */
export const nodeParts = /** @type {PartName[]} */ (["cli", "nodejs"]);

/** The user's cache folder. */
export function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const base = XDG_CACHE_HOME || (isWindows && LOCALAPPDATA) || defaultCache();
  return join(base, "pulumi-dataplatform");
}

function defaultCache() {
  return process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
}

/** The folder of our own engine; it depends on version, build recipe and platform. */
export function cachedEngine() {
  const hash = createHash("sha256");
  for (const { folder } of parts) {
    for (const name of ["go.mod", "go.sum"]) {
      hash.update(readFileSync(join(modulesFolder, folder, name), "utf8").replaceAll("\r\n", "\n"));
    }
  }
  const recipe = hash.digest("hex").slice(0, 12);
  return join(cacheFolder(), "engine", `${engineVersion}-${process.platform}-${process.arch}-${recipe}`);
}

/**
 * @param {string} folder
 * @param {readonly PartName[]} wanted
 * @returns {string[]} names of the files of those parts that the folder does not hold
 */
export function missingIn(folder, wanted) {
  return filesOf(wanted).filter((name) => !isExecutable(join(folder, name)));
}

/**
 * @param {readonly PartName[]} wanted
 * @returns {string[]}
 */
export function filesOf(wanted) {
  return parts.filter((part) => wanted.includes(part.folder)).flatMap((part) => part.files);
}

/**
 * @param {string} folder an engine of ours
 * @returns {PartName[]} the parts that are whole
 */
export function finishedParts(folder) {
  const stamp = readStamp(join(folder, stampName));
  return stamp ? (stamp.parts ?? allParts).filter((name) => missingIn(folder, [name]).length === 0) : [];
}

/**
 * @param {string} path
 * @returns {{ parts?: PartName[] } | undefined} without `parts`, all of them were made: stamps once named none
 */
function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * @param {string} folder
 * @param {{ origin: string, parts: PartName[] }} made
 */
export function writeStamp(folder, made) {
  const staging = join(folder, `${stampName}.tmp`);
  writeFileSync(staging, `${JSON.stringify({ version: engineVersion, ...made })}\n`);
  renameSync(staging, join(folder, stampName));
}

/** @param {string} path */
export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * @param {string} folder
 * @returns {Promise<string | undefined>} the output of `pulumi version`, without the v
 */
export async function versionOf(folder) {
  const answer = await run(join(folder, files.cli), ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: 30_000,
  });
  return answer.code === 0 ? /^v?(\d+\.\d+\.\d+\S*)/.exec(answer.stdout.trim())?.[1] : undefined;
}
