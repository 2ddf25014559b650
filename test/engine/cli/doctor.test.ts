import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../../cli/doctor/finding";
import { pluginFinding } from "../../../cli/doctor/plugin";
import { dataplatform } from "../../harness/command";
import { sharedEmulator } from "../../harness/emulators";
import { engineFolder, run } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";

const emulator = sharedEmulator();
const settings = () => ({ DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["admin"]! });
const node = dirname(process.execPath);

test("no problems: exit code 0, also as JSON, and no progress without a terminal", async () => {
  const env = { ...settings(), PATH: [engineFolder(), node].join(delimiter) };
  const ran = await dataplatform(["doctor", "--cwd", tmpdir(), "--format", "json"], { env });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const { ok, findings } = JSON.parse(ran.stdout) as { ok: boolean; findings: Finding[] };
  expect(ok).toBe(true);
  expect(findings.find(({ what }) => what === "Pulumi")).toMatchObject({
    verdict: "ok",
    says: expect.stringMatching(/^3\./),
  });
  expect(ran.stdout).not.toContain("analytics-admin");
});

test("no engine and no settings: exit code 1, each with its fix", async () => {
  const ran = await dataplatform(["doctor", "--cwd", tmpdir()], { env: { PATH: node } });
  expect(ran).toMatchObject({ code: 1, stderr: "" });
  expect(ran.stdout).toMatch(/✗ Pulumi +pulumi is not on PATH\n +fix: curl/);
  expect(ran.stdout).toMatch(/✗ apiToken +not set.*\n +fix: export DATAPLATFORM_API_TOKEN=…\n/);
  expect(ran.stdout).toMatch(/\n3 problems\n$/);
});

test("an unreadable stack is a finding, and the environment is still checked", async () => {
  const project = ownFolder();
  mkdirSync(join(project, "state"), { recursive: true });
  writeFileSync(join(project, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
  const env = {
    ...settings(),
    PATH: [engineFolder(), node].join(delimiter),
    PULUMI_BACKEND_URL: `file://${join(project, "state")}`,
    PULUMI_HOME: join(project, "home"),
  };
  const ran = await dataplatform(["doctor", "--stack", "dev", "--cwd", project], { env });
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/✗ stack .*no stack named 'dev' found\n +fix: pulumi stack ls/);
  expect(ran.stdout).toMatch(/! @pulumi\/pulumi +not installed in the project.*\n +fix: npm install @pulumi\/pulumi\n/);
  expect(ran.stdout).toMatch(/✓ token +accepted by the platform/);
});

/** The PATH that npx gives to the commands it runs. */
async function pathUnderNpx(cwd: string, before?: string): Promise<string> {
  // This test itself may run under npm.
  const entries = (process.env["PATH"] ?? "").split(delimiter);
  const own = entries.slice(entries.findLastIndex((entry) => entry.endsWith("node-gyp-bin")) + 1);
  const PATH = [...(before ? [before] : []), ...own].join(delimiter);
  const env = { ...process.env, PATH };
  const ran = await run("npm", ["exec", "-c", "node -p process.env.PATH"], { cwd, env });
  return ran.stdout.trim();
}

test("doctor does not look for the plugin in folders that npx put on PATH for this command", async () => {
  const project = ownFolder();
  const bin = join(project, "node_modules/.bin");
  const file = join(bin, "pulumi-resource-dataplatform");
  mkdirSync(bin, { recursive: true });
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  writeFileSync(join(project, "Pulumi.yaml"), "name: p\nruntime: nodejs\n");
  writeFileSync(join(project, "package.json"), '{ "name": "p" }');
  const PATH = await pathUnderNpx(project);
  expect(PATH.split(delimiter)[0]).toBe(bin);
  const env = { PATH, PULUMI_HOME: project };
  expect(pluginFinding(project, env)).toMatchObject({
    verdict: "problem",
    says: `only found at ${file}, which npm added to the PATH of this command: "pulumi up" in your shell will not find it`,
    fix: expect.stringMatching(/^add to Pulumi\.yaml/),
  });
  // A folder that the user already had on PATH still counts.
  const own = { ...env, PATH: await pathUnderNpx(project, bin) };
  expect(pluginFinding(project, own)).toMatchObject({ verdict: "ok", says: `${file}, from PATH` });
});
