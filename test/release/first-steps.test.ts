import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator";
import { type Ran, root, run } from "../harness/engine";
import { ProjectCopy } from "../harness/project-copy";
import { environment } from "../harness/stack";
import { step } from "../harness/steps";

/* What the README tells a newcomer to type is typed here: a clone, the packed package, a copied example, both kinds of
 * modules. Only the emulator's port and the place of the state are others. */

const readme = readFileSync(join(root, "README.md"), "utf8");
let clone: ProjectCopy;
let project: string;
let emulator: Emulator;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  clone = new ProjectCopy();
  project = join(clone.around, "my-platform");
  emulator = await startEmulator();
  const { PULUMI_BACKEND_URL: _, NODE_OPTIONS: __, ...inherited } = environment(clone.around, {});
  env = {
    ...inherited,
    HOME: clone.around,
    // npm's own settings stay those of the machine. The set-up has filled its cache: see `inject("npmProject")` there.
    npm_config_cache: npmSetting("cache"),
    npm_config_userconfig: npmSetting("userconfig"),
    npm_config_offline: "true",
    npm_config_audit: "false",
    PULUMI_SKIP_CONFIRMATIONS: "true",
  };
});
afterAll(async () => {
  await emulator?.close();
  clone?.remove();
});

const npmSetting = (name: string): string =>
  execFileSync("npm", ["config", "get", name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

function section(heading: string): string {
  const [, text] = readme.split(`\n## ${heading}\n`);
  return text!.split("\n## ")[0]!;
}

/**
 * The commands in the blocks of a section, for this emulator. A local login would keep the state in the home folder of
 * whoever runs the tests, whatever HOME says.
 */
const commandsOf = (heading: string): string =>
  [...section(heading).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .map(([, text]) => text!)
    .join("\n")
    .replaceAll("http://127.0.0.1:4010", emulator.url)
    .replace("pulumi login --local", `pulumi login file://${clone.around}`);

async function sh(cwd: string, script: string): Promise<Ran> {
  const ran = await run("sh", ["-ec", script], { cwd, env, timeoutMs: 500_000 });
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return ran;
}

const addresses = () => emulator.state().accounts[0]!.whitelist.map(({ ip_cidr }) => ip_cidr);

const firstSteps = step("the first steps", async () => {
  const script = commandsOf("First steps");
  for (const line of ["npm pack", "cp -r examples/quickstart", "npm install ../", "pulumi stack init dev", "pulumi up"])
    expect(script).toContain(line);
  await sh(clone.folder, script);
});

test("the README's first steps lead from a clone to resources on the platform", async () => {
  await firstSteps();
  expect(addresses().sort()).toEqual(["2001:db8::7", "203.0.113.7"]);
  const config = readFileSync(join(project, "Pulumi.dev.yaml"), "utf8");
  expect(config).toMatch(/dataplatform:apiToken:\s+secure: /);
});

describe("the README's settings for TypeScript", () => {
  const read = (file: string) => JSON.parse(readFileSync(join(project, file), "utf8")) as Record<string, object>;
  const write = (file: string, value: object) => writeFileSync(join(project, file), JSON.stringify(value));

  /** What the row of that name says of package.json and tsconfig.json. */
  function settings(name: string) {
    const [row] = new RegExp(`^\\| ${name} \\|.*$`, "m").exec(readme)!;
    const [type, module] = [/"type": "(\w+)"/, /"module": "(\w+)"/].map((setting) => setting.exec(row)?.[1]);
    return { type, module };
  }

  test("CommonJS is what the first steps have just used", async () => {
    await firstSteps();
    const { type, module } = settings("CommonJS");
    expect(read("package.json")["type"]).toBe(type);
    expect(read("tsconfig.json")["compilerOptions"]).toMatchObject({ module, moduleResolution: module });
  });

  // On Node 22.18 or later, test/release/compat runs ESM.
  test("ESM, on Node 20", async () => {
    await firstSteps();
    const { type, module } = settings("ESM, Node 22.18 or later");
    expect(settings("ESM, Node 20")).toEqual({ type, module });
    write("package.json", { ...read("package.json"), type });
    const config = read("tsconfig.json");
    const compilerOptions = { ...config["compilerOptions"], module, moduleResolution: module };
    write("tsconfig.json", { ...config, compilerOptions });
    await sh(project, "node node_modules/typescript/bin/tsc -p .");
    const [, install, prefix] = /`(npm install --save-dev tsx)`, then `(NODE_OPTIONS=\S+) pulumi up`/.exec(readme)!;
    await sh(project, `${install}\n${prefix} pulumi preview --expect-no-changes`);
  });
});

test("the commands that export prints import the account, with all that was read of it", async () => {
  await firstSteps();
  env = { ...env, DATAPLATFORM_BASE_URL: emulator.url, DATAPLATFORM_API_TOKEN: emulator.tokens["admin"]! };
  const { stdout } = await sh(project, "npx --no-install dataplatform export --skip users ../exported");
  const [, steps] = stdout.split("Next:\n");
  expect(steps).toContain("npm pack");
  // The token comes from the environment, as the line says.
  await sh(project, steps!.replace(/^ *pulumi config set --secret .*# or DATAPLATFORM_API_TOKEN\n/m, ""));
  const state = JSON.parse((await sh(join(clone.around, "exported"), "pulumi stack export")).stdout);
  const account = state.deployment.resources.find(({ type }: { type: string }) => type.endsWith(":Account"));
  expect(account.inputs).toMatchObject({ defloc: "s3://analytics-logs/default", idleSessionTimeout: 1440 });
});

test("what the first steps made goes away again", async () => {
  await firstSteps();
  await sh(project, "pulumi destroy --skip-preview");
  expect(addresses()).toEqual([]);
});
