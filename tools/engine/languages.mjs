/**
 * What programs in Python and Go need beside the engine: the SDKs of the schema as it is, compiled for Go, and an
 * environment for Python. The first time takes minutes, so `node tools/setup.mjs --engine --languages` does it before
 * the tests, which then find everything in the user's cache folder.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ensureEngine } from "../engine.mjs";
import { withLock } from "../lib/lock.mjs";
import { root } from "../lib/project.mjs";
import { run } from "../lib/run.mjs";
import { duration, say, ToolError } from "../lib/say.mjs";
import { generateSdks, generatorFolder } from "../sdks.mjs";
import { goCommand } from "./go-build.mjs";
import { cacheFolder, engineVersion, fingerprint } from "./layout.mjs";

const programsIn = process.platform === "win32" ? "Scripts" : "bin";
const progressMs = 15_000;
const goModule = "example.com/pulumi-dataplatform/sdk/go";
const pulumiModule = "github.com/pulumi/pulumi/sdk/v3";

/**
 * @typedef {object} Language
 * @property {NodeJS.ProcessEnv} env what the engine and a program in it need
 *
 * @typedef {object} Languages
 * @property {Language} go
 * @property {Language & { wheels: string }} [python] `wheels` is a folder with all packages that its SDK needs
 * @property {string} [whyNoPython] a machine is promised no Python
 */

/** @typedef {(text: string) => void} Log */

/** Quick if everything is there. @param {{ log?: Log }} [options] @returns {Promise<Languages>} */
export async function ensureLanguages({ log = say } = {}) {
  const version = pythonVersion();
  const engine = await ensureEngine({
    parts: ["cli", "go", ...(version ? /** @type {const} */ (["python"]) : [])],
    log,
  });
  const sdks = await ensureSdks(log);
  await compileGo(sdks, log);
  const goLanguage = { env: { ...goVariables(), PATH: [engine, process.env["PATH"]].join(delimiter) } };
  if (!version) return { go: goLanguage, whyNoPython: "there is no python3 (3.10 or later, with venv)" };
  try {
    const { programs, site, wheels } = await ensurePython(version, sdks, log);
    const path = [programs, engine, process.env["PATH"]].join(delimiter);
    return { go: goLanguage, python: { env: { PATH: path, PYTHONPATH: site }, wheels } };
  } catch (error) {
    return { go: goLanguage, whyNoPython: `its packages cannot be installed: ${/** @type {Error} */ (error).message}` };
  }
}

/**
 * Gives a program in Go its module. The language host then compiles only the program: the rest is in Go's cache.
 * @param {string} folder
 */
export function writeGoModule(folder) {
  for (const file of ["go.mod", "go.sum"]) copyFileSync(join(sdksFolder(), "program", file), join(folder, file));
}

/**
 * Go compiles a package again that was compiled with other flags. The language host gives none, so these are for both;
 * and they are those of our other builds with Go, whose packages are used again.
 */
function goVariables() {
  return { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: [process.env["GOFLAGS"], "-trimpath"].filter(Boolean).join(" ") };
}

/** @param {string} folder @param {string[]} args @param {(line: string) => void} [onLine] */
async function go(folder, args, onLine = () => undefined) {
  await must(goCommand() ?? "go", args, { cwd: folder, env: { ...process.env, ...goVariables() }, onLine });
}

/** The folder stays the same for one schema, because Go compiles a package again that it finds elsewhere. */
function sdksFolder() {
  const sources = ["sdks/main.go", "go.mod", "go.sum"].map((file) => join(generatorFolder, file));
  const recipe = fingerprint(
    ["sdk/schema.json", "tools/sdks.mjs", "tools/sdks/python.mjs", "tools/engine/languages.mjs"].map((path) =>
      join(root, path),
    ),
  );
  return join(cacheFolder(), "test-sdks", `${engineVersion}-${recipe}-${fingerprint(sources)}`);
}

/** @param {Log} log */
async function ensureSdks(log) {
  const folder = sdksFolder();
  await once(folder, "the SDKs of the schema", log, async () => {
    await generateSdks({ out: folder, log });
    await writeSmallProgram(join(folder, "program"), join(folder, "go"));
  });
  return folder;
}

/**
 * A module as users have it. The language host lists all modules of a program, so what that needs is fetched here too.
 * The checksums that the project has come first: with them, nothing but the modules themselves is asked for.
 * @param {string} folder
 * @param {string} sdk
 */
async function writeSmallProgram(folder, sdk) {
  mkdirSync(folder);
  const text = [
    "module languages\n\ngo 1.25\n",
    `require (\n\t${goModule} v0.0.0\n\t${pulumiModule} v${engineVersion}\n)\n`,
    `replace ${goModule} => ${sdk}\n`,
  ];
  writeFileSync(join(folder, "go.mod"), text.join("\n"));
  copyFileSync(join(generatorFolder, "go.sum"), join(folder, "go.sum"));
  const imports = [`${goModule}/dataplatform`, `${pulumiModule}/go/pulumi`, `${pulumiModule}/go/pulumi/config`];
  const lines = imports.map((path) => `\t_ "${path}"\n`).join("");
  writeFileSync(join(folder, "main.go"), `package main\n\nimport (\n${lines})\n\nfunc main() {}\n`);
  await go(folder, ["get", "."]);
  await go(folder, ["list", "-mod=mod", "-m", "all"]);
}

/**
 * Every time, not once: Go throws away what was not used for days. Takes a second when there is nothing to compile.
 * @param {string} sdks
 * @param {Log} log
 */
async function compileGo(sdks, log) {
  const folder = join(sdks, "program");
  await withLock(
    `${folder}.lock`,
    (owner) => log(`languages: waiting for ${owner}, which is compiling the Go SDK`),
    () =>
      progress("compiling the Go SDK (some minutes the first time)", log, (onLine) =>
        go(folder, ["build", "-v", "-o", "program"], onLine),
      ),
  );
}

function pythonVersion() {
  const script = "import ensurepip, sys, venv; print('.'.join(map(str, sys.version_info[:3])))";
  const { status, stdout } = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  const [major = 0, minor = 0] = status === 0 ? stdout.trim().split(".").map(Number) : [];
  return major === 3 && minor >= 10 ? stdout.trim() : undefined;
}

/** @param {string} version @param {string} sdks @param {Log} log */
async function ensurePython(version, sdks, log) {
  const name = `${version}-pulumi-${engineVersion}-${process.platform}-${process.arch}`;
  const target = join(cacheFolder(), "python", name);
  const programs = join(target, programsIn);
  const wheels = `${target}-wheels`;
  // What the generated package depends on and is built with, as in its pyproject.toml.
  const packages = [`pulumi==${engineVersion}`, "parver>=0.2.1", "semver>=2.8.1", "setuptools>=61", "wheel"];
  const flags = ["--quiet", "--disable-pip-version-check"];
  const pip = ["-m", "pip", "install", ...flags];
  await once(target, "an environment for Python (about 1 min)", log, async () => {
    await must("python3", ["-m", "venv", target]);
    await must(join(programs, "python"), [...pip, ...packages]);
  });
  await once(wheels, "the packages of the Python SDK", log, () =>
    must(join(programs, "python"), ["-m", "pip", "wheel", ...flags, "--wheel-dir", wheels, ...packages]),
  );
  // Into a folder of its own: the environment is shared, and holds what does not change.
  const site = join(sdks, `site-${version}`);
  const args = [...pip, "--no-deps", "--no-build-isolation", "--target", site, join(sdks, "python")];
  await once(site, "the Python SDK", log, () => must(join(programs, "python"), args));
  return { programs, site, wheels };
}

/** @param {string} command @param {string[]} args @param {import("../lib/run.mjs").RunOptions} [options] */
async function must(command, args, options = { cwd: root }) {
  const { code, stderr } = await run(command, args, options);
  const lines = stderr.trim().split("\n").slice(-20).join("\n");
  if (code !== 0) throw new ToolError("LANGUAGES_FAILED", `${command} ${args.join(" ")} failed:\n${lines}`);
}

/**
 * Fills the folder, unless that was finished before. It is not moved there: an environment holds its own path.
 * @param {string} folder
 * @param {string} title
 * @param {Log} log
 * @param {() => Promise<void>} fill
 */
async function once(folder, title, log, fill) {
  const finished = join(folder, "finished");
  const onWait = (/** @type {string} */ owner) => log(`languages: waiting for ${owner}, which is making ${title}`);
  await withLock(`${folder}.lock`, onWait, async () => {
    if (existsSync(finished)) return;
    rmSync(folder, { recursive: true, force: true });
    log(`languages: making ${title}`);
    await progress(`making ${title}`, log, fill);
    writeFileSync(finished, "");
  });
}

/**
 * Says how far it is, if it takes long.
 * @param {string} title
 * @param {Log} log
 * @param {(onLine: () => void) => Promise<void>} work
 */
async function progress(title, log, work) {
  const started = Date.now();
  let lines = 0;
  const show = (/** @type {string} */ state) => log(`languages: ${title}: ${state}${duration(Date.now() - started)}`);
  const timer = setInterval(() => show(lines > 0 ? `${lines} packages, ` : ""), progressMs);
  await work(() => lines++).finally(() => clearInterval(timer));
  if (Date.now() - started > progressMs) show("done in ");
}
