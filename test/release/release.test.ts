import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ownEmulator } from "../harness/emulators";
import { type Ran, run } from "../harness/engine";
import { ProjectCopy } from "../harness/project-copy";
import { expectOk, ownStack } from "../harness/stacks";

const version = "99.1.0";
const plugin = "pulumi-resource-dataplatform";
const platforms = ["darwin", "linux", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);
const archive = (platform: string) => `${plugin}-v${version}-${platform}.tar.gz`;
const here = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;

let project: ProjectCopy;
let start: string;

beforeAll(() => {
  project = new ProjectCopy();
  project.edit("CHANGELOG.md", (text) => text.replace("## Unreleased\n", "## Unreleased\n\n- Something new.\n"));
  project.commit("Something new");
  start = project.git("rev-parse", "HEAD").trim();
});
afterAll(() => project?.remove());

describe("before a release", () => {
  afterEach(() => {
    project.git("reset", "--quiet", "--hard", start);
    project.git("clean", "--quiet", "--force");
  });

  /** A refusal has a code and a reason, and has changed nothing. */
  function expectRefused({ code, stderr }: Ran, errorCode: string, reason: string): void {
    expect(code).toBe(1);
    expect(stderr).toContain(`error ${errorCode}: `);
    expect(stderr).toContain(reason);
    expect(project.has("release")).toBe(false);
    expect(project.read("CHANGELOG.md")).not.toContain(version);
  }

  test("a dry run checks and changes nothing", async () => {
    const { code, stdout, stderr } = await project.release(version, "--dry-run");
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`${version} can be released`);
    expect(project.status()).toBe("");
    expect(project.has("release")).toBe(false);
  });

  const edited = (path: string, change: (text: string) => string) => () => {
    project.edit(path, change);
    project.commit("By hand");
  };
  const unreleased = (heading: string) =>
    edited("CHANGELOG.md", (text) => text.replace(/## Unreleased\n[\s\S]*?\n## /, heading));
  const otherVersion = edited("package-lock.json", (text) => text.replace(/"version": "[^"]+"/, '"version": "98.0.0"'));
  const dirty = () => project.edit("README.md", (text) => `${text}\nmore`);
  const nothing = () => {};
  test.each<[what: string, make: () => void, given: string, errorCode: string, reason: string]>([
    ["uncommitted changes", dirty, version, "TREE_DIRTY", "README.md"],
    ["an empty Unreleased section", unreleased("## Unreleased\n\n## "), version, "CHANGELOG_EMPTY", "Unreleased"],
    ["headings alone", unreleased("## Unreleased\n\n### Also\n\n## "), version, "CHANGELOG_EMPTY", "Unreleased"],
    ["no Unreleased section", unreleased("## "), version, "CHANGELOG_EMPTY", "Unreleased"],
    ["other versions", otherVersion, version, "VERSION_MISMATCH", "package-lock.json says 98.0.0"],
    ["an older version", nothing, "0.0.1", "VERSION_NOT_NEWER", "is not newer than"],
    ["a word", nothing, "latest", "VERSION_INVALID", '"latest" is not a version'],
    ["half a version", nothing, "1.2", "VERSION_INVALID", '"1.2" is not a version'],
    ["a wrong option", nothing, "--force", "UNKNOWN_OPTION", "--dry-run"],
  ])("%s: npm run release refuses", async (_, make, given, errorCode, reason) => {
    make();
    const before = project.status();
    expectRefused(await project.release(given), errorCode, reason);
    expect(project.status()).toBe(before);
  });

  test("generated files that are stale are all named", async () => {
    const stale = ["docs/resources/folder.md", "llms.txt", "sdk/schema.json"];
    for (const path of stale) edited(path, (text) => text.replace("folder", "folder of old"))();
    const refused = await project.release(version);
    for (const path of stale) expectRefused(refused, "GENERATED_STALE", path);
    expect(project.status()).toBe("");
  });
});

describe("a release", () => {
  let released: Ran;
  beforeAll(async () => {
    released = await project.release(version);
  });

  const inRelease = (name: string) => join(project.folder, "release", name);
  const sums = () =>
    Object.fromEntries(
      readdirSync(join(project.folder, "release"))
        .sort()
        .map((name) => [
          name,
          createHash("sha256")
            .update(readFileSync(inRelease(name)))
            .digest("hex"),
        ]),
    );

  test("the version is set everywhere, and the changelog has it with a date", () => {
    expect(released.code, released.stderr).toBe(0);
    const versionIn = (path: string) => (JSON.parse(project.read(path)) as { version: string }).version;
    for (const path of ["package.json", "package-lock.json", "sdk/schema.json"]) expect(versionIn(path)).toBe(version);
    expect(project.read("examples/template/package.json")).toContain(`"pulumi-dataplatform": "^${version}"`);
    expect(project.read("CHANGELOG.md")).toMatch(
      /## Unreleased\n\n## 99\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something new\.\n/,
    );
    expect(readFileSync(inRelease("notes.md"), "utf8")).toMatch(/^- Something new\.\n/);
  });

  test("nothing is committed or tagged; the commands that do it are printed", () => {
    expect(project.git("log", "-1", "--format=%s").trim()).toBe("Something new");
    expect(project.git("tag").trim()).toBe("");
    for (const command of [
      "RECORD_UPGRADE=1",
      "git commit",
      `git tag v${version}`,
      `git push origin HEAD v${version}`,
      "npm publish",
    ])
      expect(released.stdout).toContain(command);
  });

  test("there is an archive for every platform, and SHA256SUMS is right about all files", () => {
    const { SHA256SUMS: _, "notes.md": __, ...files } = sums();
    expect(Object.keys(files)).toEqual([`pulumi-dataplatform-${version}.tgz`, ...platforms.map(archive)]);
    const listed = readFileSync(inRelease("SHA256SUMS"), "utf8").trim().split("\n");
    expect(Object.fromEntries(listed.map((line) => line.split("  ").reverse()))).toEqual(files);
  });

  test.each(platforms)("the archive for %s has the plugin at its root, as Pulumi looks for it", async (platform) => {
    const { stdout } = await run("tar", ["-tvzf", inRelease(archive(platform))], {
      cwd: project.folder,
      env: process.env,
    });
    const launcher = platform.startsWith("windows") ? `${plugin}.cmd` : plugin;
    expect(stdout).toMatch(new RegExp(`^-rwxr-xr-x .* ${launcher.replace(".", "\\.")}$`, "m"));
    const paths = stdout
      .trim()
      .split("\n")
      .map((line) => line.split(" ").at(-1)!);
    expect(paths.filter((path) => path.startsWith(plugin))).toEqual([launcher]);
    for (const needed of ["package.json", "LICENSE", "sdk/schema.json", "dist/provider/plugin/main.js"])
      expect(paths).toContain(needed);
    expect(paths.filter((path) => /\.(ts|map|node)$|^dist\/(?!provider\/|sdk\/)|\/typescript\//.test(path))).toEqual(
      [],
    );
  });

  test("every module of the plugin loads with nothing but what is in the archive", async () => {
    const folder = join(project.folder, "release", "unpacked");
    mkdirSync(folder);
    try {
      await run("tar", ["-xzf", inRelease(archive(here)), "-C", folder], { cwd: folder, env: process.env });
      const script = `
        const files = ["provider", "sdk"].flatMap((part) => fs.readdirSync(path.join("dist", part), { recursive: true })
          .map((name) => path.resolve("dist", part, name)).filter((name) => name.endsWith(".js")));
        for (const file of files) if (!file.endsWith(path.join("plugin", "main.js"))) require(file);
        require("./dist/provider/engine/stubs.js").engineStubs();
        require("./dist/provider/plugin/stubs.js").errorStubs();
        const strange = Object.keys(require.cache).filter((file) => !file.startsWith(process.cwd()));
        console.log(files.length > 70, strange);`;
      const { stdout, stderr } = await run(process.execPath, ["-e", script], { cwd: folder, env: process.env });
      expect(stdout.trim(), stderr).toBe("true []");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // That a program comes up with it and goes away: test/release/languages/python-component.test.ts.
  test("installed by the Pulumi CLI, and named nowhere, it gives its schema, and runs", async () => {
    const env = { PULUMI_IGNORE_AMBIENT_PLUGINS: "true", PULUMI_DISABLE_REGISTRY_RESOLVE: "true" };
    const stack = await ownStack(await ownEmulator(), { mode: "plugin", env });
    stack.forgetPlugin();
    const file = ["--file", inRelease(archive(here))];
    await expectOk(stack.pulumi("plugin", "install", "resource", "dataplatform", `v${version}`, ...file));
    const { stdout, stderr } = await stack.pulumi("package", "get-schema", `dataplatform@${version}`);
    expect((JSON.parse(stdout || "{}") as { version?: string }).version, stderr).toBe(version);
    const preview = await expectOk(stack.preview({ it: { type: "WhitelistedIp", args: { ipCidr: "203.0.113.7" } } }));
    expect(preview.text).toMatch(/\+ +dataplatform:index:WhitelistedIp +it/);
  });

  test("the tag makes the same files, byte for byte", async () => {
    const before = sums();
    project.commit(`Release ${version}`);
    const unrecorded = await project.release(`v${version}`, "--prepared");
    expect(unrecorded.stderr).toContain("error STATE_NOT_RECORDED: ");
    // What they hold does not count here; to record them takes two runs of the engine.
    for (const mode of ["dynamic", "plugin"])
      writeFileSync(join(project.folder, `test/engine/upgrade/${version}-${mode}.json`), "{}\n");
    project.commit("Record the states");
    rmSync(join(project.folder, "release"), { recursive: true });
    const { code, stderr } = await project.release(`v${version}`, "--prepared");
    expect(code, stderr).toBe(0);
    expect(sums()).toEqual(before);
    expect(project.status()).toBe("");
  });
});
