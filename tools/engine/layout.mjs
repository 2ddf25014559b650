import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
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

/** Written last: a folder without it is incomplete. */
export const stampName = ".complete";

/** The modules to build with Go; each part's folder here has its go.mod and go.sum. */
export const parts = /** @type {const} */ ([
  {
    folder: "cli",
    title: "the Pulumi CLI",
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    versionVariable: `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${engineVersion}`,
    minutes: 8,
  },
  {
    folder: "nodejs",
    title: "the Node language host",
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    versionVariable: "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v3.68.0",
    minutes: 1,
  },
  {
    folder: "yaml",
    title: "the YAML language host",
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
    versionVariable: "github.com/pulumi/pulumi-yaml/pkg/version.Version=v1.32.0",
    minutes: 2,
  },
]);

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
 * @param {{ yaml: boolean }} options
 * @returns {string[]} names of missing files
 */
export function missingIn(folder, { yaml }) {
  const wanted = [files.cli, files.nodejs, files.launcher, ...(yaml ? [files.yaml] : [])];
  return wanted.filter((name) => !isExecutable(join(folder, name)));
}

/** @param {string} folder */
export function isComplete(folder) {
  return existsSync(join(folder, stampName)) && missingIn(folder, { yaml: true }).length === 0;
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
