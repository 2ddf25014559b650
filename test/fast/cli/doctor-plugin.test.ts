import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ifNeeded, mentionOfPlugin, pluginFinding, searchPath } from "../../../cli/doctor/plugin";
import { pythonFindings } from "../../../cli/doctor/tools";
import { projectAt, readProject, runtimeOf } from "../../../cli/pulumi/project";
import { missingPlugin } from "../../../provider/engine/plugin-search";
import { ownFolder } from "../../harness/folders";
import { textOf } from "./doctor-state";

let project: string;
beforeEach(() => {
  project = ownFolder();
});

const describeProject = (text: string, name = "Pulumi.yaml") =>
  writeFileSync(join(project, name), name.endsWith("json") ? text : `name: p\nruntime: nodejs\n${text}`);

function installPlugin(folder: string, mode = 0o755): string {
  const file = join(folder, "pulumi-resource-dataplatform");
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, mode);
  return file;
}

describe("the project file", () => {
  test.each([
    ["a block", "plugins:\n  providers:\n    - name: dataplatform\n      path: ./p\n"],
    ["a flow", "plugins: { providers: [{ name: dataplatform, path: ./p }] } # path: ./old\n"],
    [
      "another provider before, whose text looks like ours",
      "plugins:\n  providers:\n    - name: aws\n      path: ./aws\n      note: |\n        name: dataplatform\n        path: ./wrong\n    - name: dataplatform\n      version: 0.1.0-beta\n      path: ./p\n",
    ],
    ["an anchor and a merge key", "x: &x { path: ./p }\nplugins: { providers: [{ name: dataplatform, <<: *x }] }\n"],
    ["packages", "packages:\n  dataplatform: ./p\n"],
  ])("sets the plugin's folder: %s", (_, text) => {
    describeProject(text);
    expect(readProject(project)).toMatchObject({ name: "Pulumi.yaml", pluginFolder: "./p" });
  });

  test.each([
    ["nothing", ""],
    ["another provider", "plugins:\n  providers:\n    - name: dataplatform-extras\n      path: ./p\n"],
    ["a description that mentions it", "description: |\n  name: dataplatform\n  path: ./p\n"],
    ["a comment", "# plugins: { providers: [{ name: dataplatform, path: ./p }] }\n"],
    ["a package from a registry", "packages:\n  dataplatform: dataplatform@0.1.0\n"],
  ])("sets no folder: %s", (_, text) => {
    describeProject(text);
    expect(readProject(project).pluginFolder).toBeUndefined();
  });

  test("can be JSON, and in a folder above; a parse error is a finding", () => {
    describeProject('{\n\t"plugins": {"providers": [{"name": "dataplatform", "path": "./p"}]}\n}', "Pulumi.json");
    expect(readProject(project)).toEqual({ name: "Pulumi.json", runtime: undefined, pluginFolder: "./p" });
    const inner = join(project, "a", "b");
    mkdirSync(inner, { recursive: true });
    expect([projectAt(inner), projectAt(dirname(project))]).toEqual([project, undefined]);
    rmSync(join(project, "Pulumi.json"));
    describeProject("plugins: { providers: [\n");
    expect(textOf(pluginFinding(project, {}))).toMatch(/^problem: Pulumi\.yaml cannot be parsed: .* line \d/);
  });
});

describe("the plugin, as the engine looks for it", () => {
  const found = (env: NodeJS.ProcessEnv) => textOf(pluginFinding(project, env));

  test("in the folder that the project sets, and only there", () => {
    describeProject("plugins: { providers: [{ name: dataplatform, path: ./named }] }\n");
    const PATH = dirname(installPlugin(join(project, "bin")));
    // Then no command of Pulumi runs, whether the program needs the plugin or not.
    const missing = textOf(ifNeeded(pluginFinding(project, { PATH }), undefined));
    expect(missing).toMatch(/^problem: .*which does not exist: Pulumi stops there, also in dynamic mode/);
    mkdirSync(join(project, "named"));
    expect(found({ PATH })).toMatch(
      /^problem: Pulumi\.yaml points to the folder \S+named, which has no executable plugin \| npm pack .* && npm install .*# or fix plugins\.providers/,
    );
    const file = installPlugin(join(project, "named"), 0o644);
    expect(found({ PATH }), "a file that is not executable").toMatch(/^problem/);
    chmodSync(file, 0o755);
    expect(found({ PATH })).toBe(`ok: ${file}, set in Pulumi.yaml`);
  });

  test("on PATH, or in Pulumi's cache", () => {
    describeProject("");
    const PULUMI_HOME = join(project, "home");
    const nowhere = { PATH: project, PULUMI_HOME };
    expect(found(nowhere)).toMatch(
      /^problem: pulumi-resource-dataplatform is not on PATH, and Pulumi.yaml sets no folder for it \| add to Pulumi\.yaml: plugins: /,
    );
    expect(textOf(ifNeeded(pluginFinding(project, nowhere), undefined))).toMatch(
      /^info: .*not on PATH.* a TeamEnvironment with an account need it: add to Pulumi\.yaml: plugins: /,
    );
    const cached = installPlugin(join(PULUMI_HOME, "plugins/resource-dataplatform-v0.1.0"));
    expect(found(nowhere)).toBe(`ok: ${cached}, from Pulumi's plugin cache`);
    const file = installPlugin(join(project, "bin"));
    const env = { PATH: [project, dirname(file)].join(delimiter), PULUMI_HOME };
    expect(found(env)).toBe(`ok: ${file}, from PATH`);
    expect(found({ ...env, PULUMI_IGNORE_AMBIENT_PLUGINS: "true" })).toMatch(/cache$/);
  });

  test("is needed by programs that name what runs only there, and by other languages", () => {
    describeProject("");
    const finding = pluginFinding(project, { PATH: project, PULUMI_HOME: join(project, "home") });
    mkdirSync(join(project, "node_modules/dp"), { recursive: true });
    writeFileSync(join(project, "node_modules/dp/index.js"), "class TeamEnvironment {}");
    writeFileSync(join(project, "index.ts"), "new dataplatform.WhitelistedIp();");
    expect(mentionOfPlugin(project)).toBeUndefined();
    mkdirSync(join(project, "teams"));
    writeFileSync(join(project, "teams/blue.ts"), "new dataplatform.TeamEnvironment();");
    const named = ifNeeded(finding, mentionOfPlugin(project));
    expect(textOf(named)).toMatch(/^warning: .*blue\.ts names TeamEnvironment: an explicit provider, and a/);
    expect(named.fix).toBe(finding.fix);
    writeFileSync(join(project, "teams/blue.ts"), "new dataplatform.TeamEnvironment('blue', { account: { name } });");
    expect(ifNeeded(finding, mentionOfPlugin(project)).verdict).toBe("problem");
    expect(runtimeOf(project)).toBe("nodejs");
    describeProject('{ "runtime": { "name": "python" } }', "Pulumi.json");
    expect(runtimeOf(project)).toBe("python");
  });

  test("a program in Python needs its virtual environment, with our SDK in it", () => {
    describeProject('{ "runtime": { "name": "python", "options": { "virtualenv": "venv" } } }', "Pulumi.json");
    const packages = join(project, "venv/lib/python3.12/site-packages");
    const found = () => pythonFindings(project).map(({ what, verdict, says }) => `${verdict} ${what}: ${says}`);
    expect(found()).toEqual(["problem virtualenv: Pulumi.json names venv, where there is none"]);
    mkdirSync(packages, { recursive: true });
    expect(found()).toEqual(["problem pulumi_dataplatform: not installed in venv"]);
    mkdirSync(join(packages, "pulumi_dataplatform"));
    expect(found()).toEqual(["ok pulumi_dataplatform: installed in venv"]);
    describeProject('{ "runtime": "python" }', "Pulumi.json");
    expect(found()).toEqual([]);
  });

  test("a program says so itself, before Pulumi names a download that does not exist", () => {
    describeProject("");
    const env = { PATH: project, PULUMI_HOME: join(project, "home") };
    expect(missingPlugin(project, env)).toMatch(/will not find it: add to Pulumi\.yaml: plugins: \{ providers: /);
    expect(missingPlugin(project, { ...env, PULUMI_DEBUG_PROVIDERS: "dataplatform:4711" })).toBeUndefined();
    expect(missingPlugin(project, { ...env, PATH: dirname(installPlugin(join(project, "bin"))) })).toBeUndefined();
    describeProject("plugins: { providers: [{ name: dataplatform, path: ./wrong }] }\n");
    expect(missingPlugin(project, env), "a wrong folder is named by the engine").toBeUndefined();
    describeProject('{"plugins":{"providers":[{"name":"dataplatform","path":"./wrong"}]}}', "Pulumi.json");
    expect(missingPlugin(project, env), "a file of one line").toBeUndefined();
  });

  test("nor in folders that other package managers added", () => {
    const PATH = ["/p/node_modules/.bin", "/usr/bin", "/home/me/node_modules/.bin"].join(delimiter);
    const own = ["/usr/bin", "/home/me/node_modules/.bin"];
    const added = ["/p/node_modules/.bin"];
    expect(searchPath({ PATH, npm_config_user_agent: "pnpm/9" })).toEqual({ added, own });
    expect(searchPath({ PATH }).added).toEqual([]);
  });
});
