import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { help } from "../../cli/emulator";
import { defaultSeed } from "../../emulator";
import { addressesOf, sharedEmulator } from "../harness/emulators";
import { engineFolder, type Ran, root, run } from "../harness/engine";
import { testFolder } from "../harness/folders";
import { environment, linkPackages } from "../harness/stack";
import { expectOk } from "../harness/stacks";

const template = join(root, "examples/template");
const folder = testFolder();
const project = join(folder, "my-platform");
const emulator = sharedEmulator();
let env: NodeJS.ProcessEnv;
beforeAll(() => {
  mkdirSync(join(folder, "state"));
  // `npm run check` checks its types.
  const inherited = environment(folder, { env: { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } });
  env = { ...inherited, PATH: `${idleNpm()}${delimiter}${inherited["PATH"]}` };
});

/** `pulumi new` runs `npm install`, which would not find the package in a registry; the packages are linked after it. */
function idleNpm(): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "npm"), "#!/bin/sh\nmkdir -p node_modules\n", { mode: 0o755 });
  return bin;
}

async function pulumi(cwd: string, ...args: readonly string[]): Promise<Ran> {
  const flags = ["--non-interactive", "--color", "never"];
  return expectOk(run(join(engineFolder(), "pulumi"), [...args, ...flags], { cwd, env }));
}

const addresses = () => addressesOf(emulator);

test("pulumi new creates a project that runs against the emulator right away", async () => {
  const { stdout } = await pulumi(
    folder,
    ...["new", template, "--yes", "--dir", project, "--name", "my-platform", "--stack", "dev"],
    ...["--config", `dataplatform:baseUrl=${emulator.url}`],
  );
  linkPackages(project);
  expect(stdout).toContain("npm run emulator");
  expect(readdirSync(project).sort()).toEqual(
    expect.arrayContaining([".gitignore", "Pulumi.dev.yaml", "Pulumi.yaml", "README.md", "index.ts", "package.json"]),
  );
  for (const file of ["Pulumi.yaml", "package.json", "README.md"]) {
    const text = readFileSync(join(project, file), "utf8");
    expect(text).toContain("my-platform");
    expect(text).not.toContain("${");
  }
  const config = readFileSync(join(project, "Pulumi.dev.yaml"), "utf8");
  expect(config).toMatch(/my-platform:office: 203\.0\.113\.7/);
  expect(config).toMatch(/dataplatform:apiToken:\s+secure: /);
  expect(config).not.toContain("analytics-admin");

  await pulumi(project, "up", "--yes", "--skip-preview");
  expect(addresses()).toEqual(["203.0.113.7"]);
  await pulumi(project, "preview", "--expect-no-changes");
  await pulumi(project, "destroy", "--yes", "--skip-preview");
  expect(addresses()).toEqual([]);

  const account = `{ name: "blue", defloc: "s3://blue/logs", subAccountCreation: true }`;
  const program = `new dataplatform.TeamEnvironment("blue", { account: ${account} });`;
  writeFileSync(join(project, "index.ts"), `import * as dataplatform from "pulumi-dataplatform";\n${program}\n`);
  const preview = ["preview", "--non-interactive", "--color", "never"];
  const without = await run(join(engineFolder(), "pulumi"), preview, { cwd: project, env });
  expect(without.code).not.toBe(0);
  const [, setting = ""] = /add to Pulumi\.yaml: (plugins: .*\] \})/.exec(without.stdout + without.stderr)!;
  writeFileSync(join(project, "Pulumi.yaml"), `${readFileSync(join(project, "Pulumi.yaml"), "utf8")}\n${setting}\n`);
  expect((await pulumi(project, "preview")).stdout).toMatch(/dataplatform:Account +blue-account/);
});

test("its defaults match the emulator", () => {
  const text = readFileSync(join(template, "Pulumi.yaml"), "utf8");
  const defaults = [...text.matchAll(/^ {6}default: (.*)$/gm)].map(([, value]) => value);
  const [, port] = /--port N.*default (\d+)/.exec(help)!;
  expect(defaults.slice(0, 2)).toEqual([`http://127.0.0.1:${port}`, defaultSeed.accounts[0]!.users![0]!.token]);
});
