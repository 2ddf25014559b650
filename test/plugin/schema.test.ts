import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settingSpecs } from "../../provider/api/settings";
import { components } from "../../provider/components";
import { functions } from "../../provider/functions";
import { resources } from "../../provider/resources";
import { engineFolder, type Ran, root, run } from "../harness/engine";
import { describeOnEngine } from "../harness/tier";

interface PropertySpec {
  readonly description?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly default?: unknown;
}
type Properties = Record<string, PropertySpec>;
interface Schema {
  readonly version: string;
  readonly provider: { readonly inputProperties: Properties };
  readonly resources: Record<
    string,
    { readonly properties: Properties; readonly inputProperties: Properties; readonly requiredInputs: string[] }
  >;
  readonly functions: Record<string, unknown>;
}

const file = join(root, "sdk/schema.json");
const schema = JSON.parse(readFileSync(file, "utf8")) as Schema;

describeOnEngine("the CLI", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "dataplatform-schema-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function pulumi(...args: readonly string[]): Promise<Ran> {
    const env = {
      ...process.env,
      PATH: `${engineFolder()}${delimiter}${process.env["PATH"]}`,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
    };
    return run(join(engineFolder(), "pulumi"), args, { cwd: folder, env });
  }

  test("accepts the schema", async () => {
    const { code, stdout, stderr } = await pulumi("schema", "check", file);
    expect({ code, said: (stdout + stderr).trim() }).toEqual({ code: 0, said: "" });
  });

  test("gets it from the plugin", async () => {
    const { code, stdout, stderr } = await pulumi(
      "package",
      "get-schema",
      join(root, "dist/plugin/pulumi-resource-dataplatform"),
    );
    expect(code, stderr).toBe(0);
    const received = JSON.parse(stdout) as Schema;
    expect(Object.keys(received.resources).sort()).toEqual(Object.keys(schema.resources).sort());
    expect(received.version).toBe((JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Schema).version);
  });
});

test("it describes every resource, component, function and setting", () => {
  const tokens = (names: readonly string[]) => names.map((name) => `dataplatform:index:${name}`);
  expect(Object.keys(schema.resources)).toEqual(tokens([...resources, ...components].map(({ type }) => type)));
  for (const token of tokens(components.map(({ type }) => type)))
    expect(schema.resources[token]).toMatchObject({ isComponent: true });
  expect(Object.keys(schema.functions)).toEqual(tokens(functions.map(({ name }) => name)));
  expect(Object.keys(schema.provider.inputProperties)).toEqual(Object.keys(settingSpecs));
  expect(schema.provider.inputProperties["apiToken"]).toMatchObject({ secret: true });
});

test.each(resources)("$type: secrets, replacements and descriptions", ({ type, secrets, replaceOn, inputs }) => {
  const { properties, inputProperties } = schema.resources[`dataplatform:index:${type}`]!;
  for (const name of secrets.map((path: string) => path.split(".")[0]!))
    expect(properties[name] ?? inputProperties[name]).toMatchObject({ secret: true });
  for (const name of Object.keys(inputs.shape)) {
    const replaces = replaceOn === "all" || replaceOn.includes(name);
    expect(inputProperties[name]?.willReplaceOnChanges ?? false, name).toBe(replaces);
  }
  for (const property of Object.values({ ...properties, ...inputProperties }))
    expect(property.description).toBeTruthy();
});
