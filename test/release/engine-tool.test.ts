import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ownFolder } from "../harness/folders";

const root = join(__dirname, "../..");
const tool = join(root, "tools", "engine.mjs");
const names = ["pulumi", "pulumi-language-nodejs", "pulumi-language-yaml", "pulumi-resource-pulumi-nodejs"];

let folder: string;
let cache: string;
let children: ChildProcess[];

beforeEach(() => {
  folder = ownFolder();
  cache = join(folder, "cache");
  children = [];
});

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
});

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the tool in isolation: no pulumi on PATH, an empty cache, no download; `variables` change that. */
function start(
  variables: Record<string, string> = {},
  args: readonly string[] = [],
): { child: ChildProcess; ended: Promise<Ended> } {
  const env = { HOME: folder, PATH: join(folder, "bin"), XDG_CACHE_HOME: cache, DATAPLATFORM_ENGINE_NO_DOWNLOAD: "1" };
  const child = spawn(process.execPath, [tool, ...args], {
    env: { ...env, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (text) => (output.stdout += text));
  child.stderr?.on("data", (text) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve) => child.on("close", (code) => resolve({ code, ...output })));
  return { child, ended };
}

function script(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** A fake installation: `pulumi version` works, the other files merely exist. */
function installEngine(place: string, version: string, files = names): void {
  for (const name of files) script(join(place, name), `echo v${version}`);
}

/**
 * A fake Go that takes `seconds` per part and counts its builds. The real one takes minutes, and this tests what the
 * tool does around it.
 */
function installGo(seconds: number): { builds: () => number; built: () => string[] } {
  const log = join(folder, "builds.log");
  script(
    join(folder, "bin", "go"),
    `PATH=/usr/bin:/bin
     [ "$1" = version ] && exit 0
     while [ "$1" != -o ]; do shift; done
     echo "$3" >> '${log}'
     target="$2/$(basename "$3")"
     printf '#!/bin/sh\\necho v3.259.0\\n' > "$target"
     chmod +x "$target"
     sleep ${seconds}`,
  );
  const lines = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []);
  return { builds: () => lines().length, built: () => lines().map((line) => basename(line)) };
}

const engines = () => readdirSync(join(cache, "pulumi-dataplatform", "engine"));

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 200) throw new Error("timed out");
    await sleep(25);
  }
}

test("npm run --silent engine prints one folder, and the pulumi in it runs", () => {
  const stdout = execFileSync("npm", ["run", "--silent", "engine"], { cwd: root, encoding: "utf8" });
  expect(stdout).toMatch(/^\/.+\n$/);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  for (const name of names) expect(existsSync(join(stdout.trim(), name)), name).toBe(true);
  expect(execFileSync(join(stdout.trim(), "pulumi"), ["version"], { encoding: "utf8" })).toMatch(/^v3\.\d+\.\d+/);
});

describe("an installed engine", () => {
  test("pulumi on PATH is used from 3.150 on, unless DATAPLATFORM_ENGINE_DIR names another", async () => {
    installEngine(join(folder, "bin"), "3.150.0");
    installEngine(join(folder, "mine"), "3.1.0");
    expect((await start().ended).stdout).toBe(`${join(folder, "bin")}\n`);
    const ended = await start({ DATAPLATFORM_ENGINE_DIR: join(folder, "mine") }).ended;
    expect(ended).toEqual({ code: 0, stdout: `${join(folder, "mine")}\n`, stderr: "" });
  });

  test.each([
    ["too old", "3.149.9", names, "version 3.149.9"],
    ["of another major version", "4.0.0", names, "version 4.0.0"],
    ["without the YAML host", "3.259.0", names.filter((name) => !name.includes("yaml")), "pulumi-language-yaml"],
  ])("pulumi on PATH that is %s is skipped", async (_, version, files, reason) => {
    installEngine(join(folder, "bin"), version, files);
    const { code, stdout, stderr } = await start().ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(reason);
  });
});

describe("a build", () => {
  test("two runs at once build once and print the same folder", async () => {
    const go = installGo(0.3);
    const [first, second] = await Promise.all([start().ended, start().ended]);
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.stdout).toBe(second.stdout);
    expect(go.builds()).toBe(3);
    expect(first.stderr + second.stderr).toContain("waiting");
    const again = await start({ PATH: "" }).ended;
    expect(again).toEqual({ code: 0, stdout: first.stdout, stderr: "" });
    expect(engines()).toHaveLength(1);
  });

  test("a terminated run leaves nothing, and the next one builds", async () => {
    const go = installGo(30);
    const interrupted = start();
    await until(() => go.builds() === 1);
    interrupted.child.kill("SIGTERM");
    expect((await interrupted.ended).code).toBe(143);
    expect(engines()).toEqual([]);
    installGo(0);
    expect((await start().ended).code).toBe(0);
  });

  test("the result of a killed run is not trusted, and its lock is taken over", async () => {
    const go = installGo(2);
    const killed = start();
    await until(() => go.builds() === 1);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(engines().some((name) => name.endsWith(".lock"))).toBe(true);
    installGo(0);
    const { code, stdout } = await start().ended;
    expect(code).toBe(0);
    expect(go.builds()).toBe(4);
    expect(engines()).toEqual([stdout.trim().split("/").at(-1)]);
  });

  test("only the parts that are named are built, the others when something asks for them, and again when a recipe changes", async () => {
    const go = installGo(0);
    const asked = (...parts: string[]) => start({}, parts.length > 0 ? ["--parts", parts.join()] : []).ended;
    const first = await asked("cli", "nodejs");
    expect(first.stderr).not.toContain("YAML");
    const place = first.stdout.trim();
    const cli = statSync(join(place, "pulumi")).ino;
    for (const parts of [["nodejs", "cli"], [], ["cli", "go"]])
      expect((await asked(...parts)).stdout).toBe(first.stdout);
    const built = ["pulumi", "pulumi-language-nodejs", "pulumi-language-yaml", "pulumi-language-go"];
    expect(go.built(), "the Go host only by name").toEqual(built);
    for (const name of [...names, "pulumi-language-go"]) expect(existsSync(join(place, name)), name).toBe(true);
    expect(statSync(join(place, "pulumi")).ino, "a running CLI is left alone").toBe(cli);
    // Without Go, too.
    expect((await start({ PATH: "" }, ["--parts", "cli,go"]).ended).stderr).toBe("");
    expect(engines()).toHaveLength(1);

    const stamp = join(place, ".complete");
    writeFileSync(stamp, readFileSync(stamp, "utf8").replace(/"go":"\w+"/, '"go":"another"'));
    expect((await asked("cli", "go")).stdout).toBe(first.stdout);
    expect(go.built()).toEqual([...built, "pulumi-language-go"]);
  });

  test("a failing go build shows go's output, and nothing is kept", async () => {
    script(join(folder, "bin", "go"), '[ "$1" = version ] && exit 0; echo "main.go:1: no such thing" >&2; exit 1');
    const { code, stdout, stderr } = await start().ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("main.go:1: no such thing");
    expect(engines()).toEqual([]);
  });
});

test("no engine at all: one error that lists the reasons and the fixes", async () => {
  const { code, stdout, stderr } = await start().ended;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.match(/error /g)).toHaveLength(1);
  for (const way of [
    "pulumi is not on PATH",
    "go is not on PATH",
    "pulumi.com/docs/install",
    "install Go 1.",
    "DATAPLATFORM_ENGINE_DIR",
  ]) {
    expect(stderr).toContain(way);
  }
});
