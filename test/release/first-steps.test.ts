import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { root } from "../harness/engine";
import { Newcomer } from "../harness/newcomer";
import { shared } from "../harness/shared";
import { step } from "../harness/steps";

/* What the README tells a newcomer to type is typed here: a clone, the packed package, a copied example, both kinds of
 * modules. Only the emulator's port and the place of the state are others. */

const readme = readFileSync(join(root, "README.md"), "utf8");
// The set-up has installed the package once, so that npm's cache has all of it: see `inject("npmProject")` there.
const newcomer = shared(() => Newcomer.start());
let project: string;
beforeAll(() => {
  project = join(newcomer.clone.around, "my-platform");
});

function section(heading: string): string {
  const [, text] = readme.split(`\n## ${heading}\n`);
  return text!.split("\n## ")[0]!;
}

const firstSteps = step("the first steps", async () => {
  const script = newcomer.commandsIn(section("First steps, in TypeScript"));
  for (const line of ["npm pack", "cp -r examples/quickstart", "npm install ../", "pulumi stack init dev", "pulumi up"])
    expect(script).toContain(line);
  await newcomer.sh(newcomer.clone.folder, script);
});

test("the README's first steps lead from a clone to resources on the platform", async () => {
  await firstSteps();
  expect(newcomer.addresses().sort()).toEqual(["2001:db8::7", "203.0.113.7"]);
  const config = readFileSync(join(project, "Pulumi.dev.yaml"), "utf8");
  expect(config).toMatch(/dataplatform:apiToken:\s+secure: /);
});

describe("the settings for TypeScript", () => {
  const page = readFileSync(join(root, "docs/installation-configuration.md"), "utf8");
  const read = (file: string) => JSON.parse(readFileSync(join(project, file), "utf8")) as Record<string, object>;
  const write = (file: string, value: object) => writeFileSync(join(project, file), JSON.stringify(value));

  /** What the row of that name says of package.json and tsconfig.json. */
  function settings(name: string) {
    const [row] = new RegExp(`^\\| ${name} \\|.*$`, "m").exec(page)!;
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
    await newcomer.sh(project, "node node_modules/typescript/bin/tsc -p .");
    const [, install, prefix] = /`(npm install --save-dev tsx)`, then `(NODE_OPTIONS=\S+) pulumi up`/.exec(page)!;
    await newcomer.sh(project, `${install}\n${prefix} pulumi preview --expect-no-changes`);
  });
});

test("the commands that export prints import the account, with all that was read of it", async () => {
  await firstSteps();
  const { url, tokens } = newcomer.emulator;
  const settings = { DATAPLATFORM_BASE_URL: url, DATAPLATFORM_API_TOKEN: tokens["admin"]! };
  const exporting = "npx --no-install dataplatform export --skip users ../exported";
  const { stdout } = await newcomer.sh(project, exporting, settings);
  const [, steps] = stdout.split("Next:\n");
  expect(steps).toContain("npm pack");
  // The token comes from the environment, as the line says.
  await newcomer.sh(
    project,
    steps!.replace(/^ *pulumi config set --secret .*# or DATAPLATFORM_API_TOKEN\n/m, ""),
    settings,
  );
  const state = JSON.parse((await newcomer.sh(join(newcomer.clone.around, "exported"), "pulumi stack export")).stdout);
  const account = state.deployment.resources.find(({ type }: { type: string }) => type.endsWith(":Account"));
  expect(account.inputs).toMatchObject({ defloc: "s3://analytics-logs/default", idleSessionTimeout: 1440 });
});

test("what the first steps made goes away again", async () => {
  await firstSteps();
  await newcomer.sh(project, "pulumi destroy --skip-preview");
  expect(newcomer.addresses()).toEqual([]);
});
