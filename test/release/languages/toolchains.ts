import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { goCommand } from "../../../tools/engine/go-build.mjs";
import { cacheFolder, engineVersion, fingerprint } from "../../../tools/engine/layout.mjs";
import { withLock } from "../../../tools/lib/lock.mjs";
import { generateSdks } from "../../../tools/sdks.mjs";
import { root, run } from "../../harness/engine";

/** What a program needs beside its files: variables, and a step that makes it ready to run. */
export interface Toolchain {
  readonly env: NodeJS.ProcessEnv;
  prepare(project: string): Promise<void>;
}

const programsIn = process.platform === "win32" ? "Scripts" : "bin";
const nothing = async (): Promise<void> => undefined;
export const plain: Toolchain = { env: {}, prepare: nothing };

/** Why Python cannot be tried on this machine, if so: a fresh one is promised none. */
export async function whyNoPython(): Promise<string | undefined> {
  const version = pythonVersion();
  if (version === undefined) return "there is no python3 (3.9 or later, with venv)";
  try {
    await environmentOf(version);
    return undefined;
  } catch (error) {
    return `its packages cannot be installed: ${(error as Error).message}`;
  }
}

function pythonVersion(): string | undefined {
  const script = "import ensurepip, sys, venv; print('.'.join(map(str, sys.version_info[:3])))";
  const { status, stdout } = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  const [major = 0, minor = 0] = status === 0 ? stdout.trim().split(".").map(Number) : [];
  return major === 3 && minor >= 9 ? stdout.trim() : undefined;
}

/**
 * The SDKs of the schema as it is, made once for each schema. The folder stays the same, because Go compiles a package
 * again that it finds elsewhere, and this one takes a minute.
 */
export async function sdks(): Promise<string> {
  const recipe = ["sdk/schema.json", "tools/sdks.mjs", "tools/engine/cli/sdks/main.go", "tools/engine/cli/go.mod"];
  const folder = join(cacheFolder(), "test-sdks", fingerprint(recipe.map((path) => join(root, path))));
  await once(folder, () => generateSdks({ out: folder }));
  return folder;
}

export async function python(): Promise<Toolchain> {
  const version = pythonVersion()!;
  const programs = join(await environmentOf(version), programsIn);
  const path = [programs, withHost("python"), process.env["PATH"]].join(delimiter);
  const folder = await sdks();
  const site = join(folder, `site-${version}`);
  // Into a folder of its own: the environment is shared, and holds what does not change.
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site];
  await once(site, () => step(join(programs, "python"), ...args, join(folder, "python")));
  return { env: { PATH: path, PYTHONPATH: site }, prepare: nothing };
}

export async function golang(): Promise<Toolchain> {
  const folder = await sdks();
  const path = [withHost("go"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  const go = async (cwd: string, ...args: string[]): Promise<void> => {
    const { code, stderr } = await run(goCommand() ?? "go", args, { cwd, env, timeoutMs: 1_200_000 });
    if (code !== 0) throw new Error(`go ${args[0]} failed: ${stderr}`);
  };
  return {
    env: { PATH: path },
    async prepare(project) {
      const module = "example.com/pulumi-dataplatform/sdk/go";
      await go(project, "mod", "edit", `-replace=${module}=${join(folder, "go")}`);
      await go(project, "build", "-mod=mod", "-trimpath", "-ldflags", "-s -w", "-o", "program", ".");
    },
  };
}

/** The engine's folder, once it holds that host. */
function withHost(part: "python" | "go"): string {
  const args = [join(root, "tools/engine.mjs"), "--parts", `cli,${part}`];
  return execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}

async function step(command: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await run(command, args, { cwd: root, env: process.env, timeoutMs: 900_000 });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed: ${stderr}`);
}

/** A Python environment with Pulumi's package, made once per machine. */
async function environmentOf(version: string): Promise<string> {
  const target = join(
    cacheFolder(),
    "python",
    `${version}-pulumi-${engineVersion}-${process.platform}-${process.arch}`,
  );
  await once(target, async () => {
    await step("python3", "-m", "venv", target);
    // What the generated package depends on and is built with, as in its pyproject.toml.
    const packages = [`pulumi==${engineVersion}`, "parver>=0.2.1", "semver>=2.8.1", "setuptools>=61", "wheel"];
    const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
    await step(join(target, programsIn, "python"), ...args);
  });
  return target;
}

/** Fills the folder, unless that was finished before. It is not moved there: an environment holds its own path. */
async function once(folder: string, fill: () => Promise<void>): Promise<void> {
  const finished = join(folder, "finished");
  await withLock(
    `${folder}.lock`,
    () => undefined,
    async () => {
      if (existsSync(finished)) return;
      rmSync(folder, { recursive: true, force: true });
      await fill();
      writeFileSync(finished, "");
    },
  );
}
