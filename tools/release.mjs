#!/usr/bin/env node
/** Makes a release ready: `npm run release -- 1.2.3`. It neither commits nor publishes; it prints how to. */
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { root } from "./lib/project.mjs";
import { run, runNpm } from "./lib/run.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";
import { checkUnreleased, section, withRelease } from "./release/changelog.mjs";
import { writePluginArchives } from "./release/plugin-archives.mjs";
import { checkNewer, checkVersions, parseVersion, setVersion, versionsIn } from "./release/versions.mjs";
import { setUp } from "./setup.mjs";

const usage = `Usage: npm run release -- <version> [options]

Sets the version, gives the "Unreleased" part of CHANGELOG.md that version and today's date, generates what depends on
it, and writes to release/: the npm package, the plugin archives that "pulumi plugin install" takes, SHA256SUMS and
notes.md. It refuses uncommitted changes, an empty "Unreleased", files that are not generated anew, and versions that
contradict each other. It does not commit, tag or publish: it prints the commands.

Options:
  --prepared   the version is set and committed already: only check that, and write release/
  --dry-run    only check, and say what would be done
  --help       show this text`;

const folder = join(root, "release");
const changelogFile = join(root, "CHANGELOG.md");
/** The states of a release are kept: later versions must go on working with them. */
const record = "RECORD_UPGRADE=1 npx vitest run test/engine/upgrade && npm run format";
const print = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`);

/** @param {{ prepared: boolean, "dry-run": boolean }} flags @param {string[]} positionals */
async function release({ prepared, "dry-run": dryRun }, positionals) {
  const [given] = positionals;
  if (given === undefined || positionals.length > 1)
    throw new ToolError("UNKNOWN_OPTION", `expected one version\n\n${usage}`);
  const version = parseVersion(given);
  await checkClean();
  const changelog = readFileSync(changelogFile, "utf8");
  if (prepared) checkPrepared(version, changelog);
  else checkReadyFor(version, changelog);
  await setUp();
  await checkGenerated();
  if (dryRun) return print(`${version} can be released. Nothing was changed: this was a dry run.`);
  if (!prepared) await prepare(version, changelog);
  const names = await writeFiles(version);
  say(`release: wrote to release/:\n${names.map((name) => `  ${name}`).join("\n")}`);
  if (!prepared) print(nextSteps(version));
}

/** What is released must be what is committed; and a clean tree can be restored if something fails on the way. */
async function checkClean() {
  const { code, stdout, stderr } = await run("git", ["status", "--porcelain"], { cwd: root });
  if (code !== 0) throw new ToolError("NO_REPOSITORY", `git status failed: ${stderr.trim()}`);
  if (stdout.trim() !== "")
    throw new ToolError(
      "TREE_DIRTY",
      `there are uncommitted changes. Commit or stash them first:\n${stdout.trimEnd()}`,
    );
}

/** @param {string} version @param {string} changelog */
function checkReadyFor(version, changelog) {
  checkUnreleased(changelog);
  const versions = versionsIn(root);
  const current = versions["package.json"] ?? "";
  checkVersions(versions, current);
  checkNewer(version, current);
}

/** @param {string} version @param {string} changelog */
function checkPrepared(version, changelog) {
  checkVersions(versionsIn(root), version);
  if (!section(changelog, version))
    throw new ToolError(
      "CHANGELOG_EMPTY",
      `CHANGELOG.md says nothing about ${version}. Run: npm run release -- ${version}`,
    );
  const recordings = ["dynamic", "plugin"].map((mode) => `test/engine/upgrade/${version}-${mode}.json`);
  const missing = recordings.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0)
    throw new ToolError("STATE_NOT_RECORDED", `there is no ${missing.join(", ")}. Run and commit:\n  ${record}`);
}

async function checkGenerated() {
  const { code, stderr } = await generate("--check");
  if (code !== 0)
    throw new ToolError(
      "GENERATED_STALE",
      `${stderr.trim()}\nRun "npm run generate", look at the changes, and commit them.`,
    );
}

/** @param {string[]} args */
function generate(...args) {
  return run(process.execPath, [join(root, "tools/generate.mjs"), ...args], { cwd: root });
}

/** @param {string} version @param {string} changelog */
async function prepare(version, changelog) {
  say(`release: setting the version to ${version}`);
  setVersion(root, version);
  writeFileSync(changelogFile, withRelease(changelog, version, new Date().toISOString().slice(0, 10)));
  const { code, stderr } = await generate();
  if (code !== 0)
    throw new ToolError("GENERATE_FAILED", `${stderr.trim()}\nTo undo what was changed so far: git restore .`);
  await build();
}

/** @param {string} version @returns {Promise<string[]>} the names of the files */
async function writeFiles(version) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  say("release: packing (about 10 s)");
  const packed = await runNpm(["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: root });
  if (packed.code !== 0) throw new ToolError("PACK_FAILED", `npm pack failed:\n${packed.stderr.trim()}`);
  const names = [`pulumi-dataplatform-${version}.tgz`, ...writePluginArchives({ root, version, folder })];
  const sums = names.map((name) => `${hash("sha256", readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  writeFileSync(join(folder, "notes.md"), `${section(readFileSync(changelogFile, "utf8"), version)}\n`);
  return [...names, "SHA256SUMS", "notes.md"];
}

/** @param {string} version */
function nextSteps(version) {
  return `
${version} is ready. Look at the changes (git diff) and at release/, then:

  ${record}
  npm test
  git add --all
  git commit --message "Release ${version}"
  git tag v${version}
  git push origin HEAD v${version}

The tag starts .github/workflows/release.yml, which makes the same files and puts them into a GitHub release. By hand:

  gh release create v${version} --title v${version} --notes-file release/notes.md release/*.tar.gz release/*.tgz release/SHA256SUMS
  npm publish release/pulumi-dataplatform-${version}.tgz

To take it back before the commit: git restore . && git clean --force test/engine/upgrade`;
}

if (isMain(import.meta.url)) {
  const options = /** @type {const} */ ({
    prepared: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
  });
  await main({ usage, options, allowPositionals: true }, release);
}
