import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { goCommand } from "../../tools/engine/go-build.mjs";
import { cacheFolder, engineVersion } from "../../tools/engine/layout.mjs";
import { withLock } from "../../tools/lib/lock.mjs";
import { generateSdks } from "../../tools/sdks.mjs";
import { root, run } from "../harness/engine";

/** What a program needs beside its files: variables, and a step that makes it ready to run. */
export interface Toolchain {
  readonly env: NodeJS.ProcessEnv;
  prepare(folder: string): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;
export const plain: Toolchain = { env: {}, prepare: nothing };

/** The version of the Python on this machine. Without one, or without its module for environments, undefined. */
export function pythonVersion(): string | undefined {
  const script = "import ensurepip, sys, venv; print('.'.join(map(str, sys.version_info[:3])))";
  const { status, stdout } = spawnSync("python3", ["-c", script], { encoding: "utf8" });
  const [major = 0, minor = 0] = status === 0 ? stdout.trim().split(".").map(Number) : [];
  return major === 3 && minor >= 9 ? stdout.trim() : undefined;
}

/** SDKs of the schema as it is, in a folder of their own: the one in the project may be in use, or old. */
export async function freshSdks(): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "dataplatform-sdks-"));
  await generateSdks({ out: folder });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function python(sdks: string, version: string): Promise<Toolchain> {
  const programs = join(await environmentOf(version), process.platform === "win32" ? "Scripts" : "bin");
  const path = [programs, withHost("python"), process.env["PATH"]].join(delimiter);
  const site = join(sdks, "site");
  // Into a folder of its own: the environment is shared, and holds what does not change.
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site];
  await step(join(programs, "python"), ...args, join(sdks, "python"));
  return { env: { PATH: path, PYTHONPATH: site }, prepare: nothing };
}

export async function golang(sdks: string): Promise<Toolchain> {
  const path = [withHost("go"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  const go = async (cwd: string, ...args: string[]): Promise<void> => {
    const { code, stderr } = await run(goCommand() ?? "go", args, { cwd, env, timeoutMs: 1_200_000 });
    if (code !== 0) throw new Error(`go ${args[0]} failed: ${stderr}`);
  };
  return {
    env: { PATH: path },
    async prepare(folder) {
      const module = "example.com/pulumi-dataplatform/sdk/go";
      await go(folder, "mod", "edit", `-replace=${module}=${join(sdks, "go")}`);
      // With -trimpath, Go's cache knows the SDK again although its folder is another one each time.
      await go(folder, "build", "-mod=mod", "-trimpath", "-ldflags", "-s -w", "-o", "program", ".");
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
  const finished = join(target, "finished");
  await withLock(
    `${target}.lock`,
    () => undefined,
    async () => {
      if (existsSync(finished)) return;
      rmSync(target, { recursive: true, force: true });
      await step("python3", "-m", "venv", target);
      const command = join(target, process.platform === "win32" ? "Scripts/python" : "bin/python");
      // What the generated package depends on and is built with, as in its pyproject.toml.
      const packages = [`pulumi==${engineVersion}`, "parver>=0.2.1", "semver>=2.8.1", "setuptools>=61", "wheel"];
      await step(command, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages);
      // An environment holds its own path, so it cannot be made elsewhere and moved: this file says that it is whole.
      writeFileSync(finished, "");
    },
  );
  return target;
}
