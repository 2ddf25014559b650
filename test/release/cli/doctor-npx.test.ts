import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { pluginFinding } from "../../../cli/doctor/plugin";
import { run } from "../../harness/engine";
import { ownFolder } from "../../harness/folders";

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
