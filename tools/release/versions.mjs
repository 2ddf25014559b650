import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../lib/say.mjs";

const form = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

/** @param {string} text @returns {string} the version without the v */
export function parseVersion(text) {
  if (form.test(text)) return text.replace(/^v/, "");
  throw new ToolError("VERSION_INVALID", `"${text}" is not a version; expected one such as 1.2.3 or 1.2.3-beta.1.`);
}

/** @param {string} version @param {string} current */
export function checkNewer(version, current) {
  const [[next, nextLabel], [last, lastLabel]] = [parts(version), parts(current)];
  const index = next.findIndex((number, at) => number !== last[at]);
  const isNewer =
    index >= 0
      ? Number(next[index]) > Number(last[index])
      : lastLabel !== undefined &&
        (nextLabel === undefined || nextLabel.localeCompare(lastLabel, "en", { numeric: true }) > 0);
  if (!isNewer)
    throw new ToolError("VERSION_NOT_NEWER", `${version} is not newer than ${current}, the version in package.json.`);
}

/** @param {string} version @returns {[numbers: number[], label: string | undefined]} */
function parts(version) {
  const [, major, minor, patch, label] = form.exec(version) ?? [];
  return [[Number(major), Number(minor), Number(patch)], label];
}

/** The version as each file has it. @param {string} root @returns {Record<string, string>} */
export function versionsIn(root) {
  const lock = readJson(root, "package-lock.json");
  return {
    "package.json": readJson(root, "package.json").version,
    "package-lock.json": lock.version,
    'packages[""] of package-lock.json': lock.packages[""].version,
    "sdk/schema.json": readJson(root, "sdk/schema.json").version,
  };
}

/** @param {Record<string, string>} versions @param {string} expected */
export function checkVersions(versions, expected) {
  const wrong = Object.entries(versions).filter(([, version]) => version !== expected);
  if (wrong.length === 0) return;
  const list = wrong.map(([file, version]) => `  ${file} says ${version}`).join("\n");
  throw new ToolError(
    "VERSION_MISMATCH",
    `expected the version ${expected} everywhere, but\n${list}\nSet it there (npm run generate writes the schema), and commit it.`,
  );
}

/**
 * Sets the version wherever it is written by hand; the generator writes the schema.
 * @param {string} root
 * @param {string} version
 */
export function setVersion(root, version) {
  const lock = readJson(root, "package-lock.json");
  lock.version = version;
  lock.packages[""].version = version;
  writeJson(root, "package-lock.json", lock);
  writeJson(root, "package.json", { ...readJson(root, "package.json"), version });
  for (const path of examplePackages(root)) {
    const text = readFileSync(join(root, path), "utf8");
    writeFileSync(join(root, path), text.replace(/("pulumi-dataplatform": ")[^"]*"/, `$1^${version}"`));
  }
  for (const path of pages(root)) {
    const text = readFileSync(join(root, path), "utf8");
    const current = text.replace(/(pulumi-dataplatform-)\d[\w.-]*(?=\.tgz)/g, `$1${version}`);
    if (current !== text) writeFileSync(join(root, path), current);
  }
}

/** People copy them: below 1.0, `^0.1.0` would not take 0.2.0. @param {string} root */
function examplePackages(root) {
  return readdirSync(join(root, "examples"))
    .map((name) => `examples/${name}/package.json`)
    .filter((path) => existsSync(join(root, path)));
}

/** Pages that may say how to install the package from its archive. @param {string} root */
function pages(root) {
  const inFolders = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  return ["README.md", ...inFolders].filter((path) => path.endsWith(".md") && !path.includes("node_modules"));
}

/** @param {string} root @param {string} path */
function readJson(root, path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}

/** As npm writes it. @param {string} root @param {string} path @param {unknown} value */
function writeJson(root, path, value) {
  writeFileSync(join(root, path), `${JSON.stringify(value, null, 2)}\n`);
}
