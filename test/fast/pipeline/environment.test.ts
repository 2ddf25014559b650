import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { environmentFor, toolAt, trustedPath } from "../../../cli/pipeline/environment";
import { ownFolder } from "../../harness/folders";

let folder: string;
let tree: string;
let tools: string;
beforeEach(() => {
  folder = ownFolder();
  [tree, tools] = [join(folder, "tree"), join(folder, "tools")];
  for (const place of [join(tree, "node_modules/.bin"), tools]) program(place, "git");
});

function program(place: string, name: string): void {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, name), "#!/bin/sh\n");
  chmodSync(join(place, name), 0o755);
}

test("a dependency's program named git is not the one that runs, however the PATH leads to it", () => {
  symlinkSync(join(tree, "node_modules/.bin"), join(folder, "link"));
  program(join(folder, "elsewhere/node_modules/.bin"), "git");
  const inside = [
    join(tree, "node_modules/.bin"),
    join(folder, "link"),
    join(tree, "bin"),
    ".",
    "",
    "node_modules/.bin",
  ];
  const entries = [...inside, join(folder, "elsewhere/node_modules/.bin"), tools];
  const path = trustedPath({ PATH: entries.join(delimiter) }, tree);
  expect(path).toBe(tools);
  expect(toolAt("git", path)).toBe(join(tools, "git"));
});

test("a program that only the working tree has is not found", () => {
  program(join(tree, "node_modules/.bin"), "pulumi");
  const path = trustedPath({ PATH: [join(tree, "node_modules/.bin"), tools].join(delimiter) }, tree);
  expect(() => toolAt("pulumi", path)).toThrow(/cannot run pulumi: it is not on the PATH/);
});

const common = ["HOME", "HTTPS_PROXY"];
const backend = ["PULUMI_ACCESS_TOKEN", "PULUMI_BACKEND_URL"];
const token = ["DATAPLATFORM_API_TOKEN", "DATAPLATFORM_TOKEN_HOSTS"];
const passphrase = "PULUMI_CONFIG_PASSPHRASE";
const forge = ["GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "CI_JOB_TOKEN", "REPORT_TOKEN", "DATAPLATFORM_SIGNING_KEY"];
const evil = ["NODE_OPTIONS", "LD_PRELOAD", "GIT_SSH_COMMAND", "SOMETHING_ELSE"];
const everything = [...common, ...backend, ...token, passphrase, ...forge, ...evil];

test.each([
  ["git", common],
  ["state", [...common, ...backend, passphrase]],
  ["program", [...common, ...token, passphrase]],
  ["platform", [...common, ...backend, ...token, passphrase]],
] as const)("%s gets what is on its list, and nothing else", (audience, expected) => {
  const given = Object.fromEntries(everything.map((name) => [name, "x"]));
  const env = environmentFor(audience, "/usr/bin", { ...given, PATH: "/evil" });
  expect(env["PATH"]).toBe("/usr/bin");
  expect(everything.filter((name) => name in env).sort()).toEqual([...expected].sort());
});

test.each([
  [{}, "refuse"],
  [{ DATAPLATFORM_SUBMIT: "yes" }, "refuse"],
  [{ DATAPLATFORM_SUBMIT: "allow" }, "allow"],
])("no function submits a command that no plan shows, unless the job allows it: %j", (env, expected) => {
  for (const audience of ["program", "platform"] as const)
    expect(environmentFor(audience, "", env)).toMatchObject({ DATAPLATFORM_SUBMIT: expected });
});

test("no plugin is downloaded because a state names it", () => {
  expect(environmentFor("program", "", {})["PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION"]).toBe("true");
});
