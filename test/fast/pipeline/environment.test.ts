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
  const entries = [
    join(tree, "node_modules/.bin"),
    join(folder, "link"),
    join(folder, "elsewhere/node_modules/.bin"),
    join(tree, "bin"),
    ".",
    "",
    "node_modules/.bin",
    tools,
  ];
  const path = trustedPath({ PATH: entries.join(delimiter) }, tree);
  expect(path).toBe(tools);
  expect(toolAt("git", path)).toBe(join(tools, "git"));
});

test("a program that only the working tree has is not found", () => {
  program(join(tree, "node_modules/.bin"), "pulumi");
  const path = trustedPath({ PATH: [join(tree, "node_modules/.bin"), tools].join(delimiter) }, tree);
  expect(() => toolAt("pulumi", path)).toThrow(/cannot run pulumi: it is not on the PATH/);
});

const everything = {
  PATH: "/evil",
  HOME: "/home/runner",
  HTTPS_PROXY: "http://proxy",
  NODE_OPTIONS: "--require /tmp/evil.js",
  LD_PRELOAD: "/tmp/evil.so",
  GIT_SSH_COMMAND: "evil",
  GITHUB_TOKEN: "forge",
  ACTIONS_RUNTIME_TOKEN: "forge",
  CI_JOB_TOKEN: "forge",
  REPORT_TOKEN: "forge",
  DATAPLATFORM_SIGNING_KEY: "signing",
  PULUMI_BACKEND_URL: "s3://state",
  PULUMI_ACCESS_TOKEN: "backend",
  PULUMI_CONFIG_PASSPHRASE: "passphrase",
  DATAPLATFORM_API_TOKEN: "token",
  DATAPLATFORM_TOKEN_HOSTS: "api.example.com",
  SOMETHING_ELSE: "1",
};

test.each([
  ["git", ["HOME", "HTTPS_PROXY"]],
  ["state", ["HOME", "HTTPS_PROXY", "PULUMI_ACCESS_TOKEN", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"]],
  [
    "program",
    ["DATAPLATFORM_API_TOKEN", "DATAPLATFORM_TOKEN_HOSTS", "HOME", "HTTPS_PROXY", "PULUMI_CONFIG_PASSPHRASE"],
  ],
  [
    "platform",
    [
      ...["DATAPLATFORM_API_TOKEN", "DATAPLATFORM_TOKEN_HOSTS", "HOME", "HTTPS_PROXY", "PULUMI_ACCESS_TOKEN"],
      ...["PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE"],
    ],
  ],
] as const)("%s gets what is on its list, and nothing else", (audience, expected) => {
  const env = environmentFor(audience, "/usr/bin", everything);
  expect(env["PATH"]).toBe("/usr/bin");
  expect(
    Object.keys(env)
      .filter((name) => name in everything && name !== "PATH")
      .sort(),
  ).toEqual(expected);
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
