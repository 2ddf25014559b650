import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingSpecs } from "../../../provider/api/settings";
import { components } from "../../../provider/components";
import { secretsOf } from "../../../provider/core/secrets";
import { functions } from "../../../provider/functions";
import { resources } from "../../../provider/resources";
import { root } from "../../harness/engine";

interface PropertySpec {
  readonly description?: string;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
  readonly default?: unknown;
}
type Properties = Record<string, PropertySpec>;
interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly oneOf?: readonly TypeSpec[];
}
interface Schema {
  readonly version: string;
  readonly provider: { readonly inputProperties: Properties };
  readonly resources: Record<
    string,
    { readonly properties: Properties; readonly inputProperties: Properties; readonly requiredInputs: string[] }
  >;
  readonly functions: Record<string, unknown>;
  readonly types: Record<string, object>;
}

const schema = JSON.parse(readFileSync(join(root, "sdk/schema.json"), "utf8")) as Schema;

test("it fixes no value: SDKs would put it in the place of a wrong one", () =>
  expect(JSON.stringify(schema)).not.toContain('"const":'));

test("it describes every resource, component, function and setting", () => {
  const tokens = (names: readonly string[]) => names.map((name) => `dataplatform:index:${name}`);
  expect(Object.keys(schema.resources)).toEqual(tokens([...resources, ...components].map(({ type }) => type)));
  for (const token of tokens(components.map(({ type }) => type)))
    expect(schema.resources[token]).toMatchObject({ isComponent: true });
  expect(Object.keys(schema.functions)).toEqual(tokens(functions.map(({ name }) => name)));
  expect(Object.keys(schema.provider.inputProperties)).toEqual(Object.keys(settingSpecs));
  expect(schema.provider.inputProperties["apiToken"]).toMatchObject({ secret: true });
});

test.each(resources)("$type: secrets, replacements and descriptions", (definition) => {
  const { type, replaceOn, inputs } = definition;
  const { properties, inputProperties } = schema.resources[`dataplatform:index:${type}`]!;
  for (const name of secretsOf(definition).map((path) => path.split(".")[0]!))
    expect(properties[name] ?? inputProperties[name]).toMatchObject({ secret: true });
  for (const name of Object.keys(inputs.shape)) {
    const replaces = replaceOn.includes(name);
    expect(inputProperties[name]?.willReplaceOnChanges ?? false, name).toBe(replaces);
  }
  for (const property of Object.values({ ...properties, ...inputProperties }))
    expect(property.description).toBeTruthy();
});

/** Every type in the schema, with where it stands. */
function typesIn(value: unknown, path = ""): [string, TypeSpec][] {
  if (typeof value !== "object" || value === null) return [];
  const here: [string, TypeSpec][] = "type" in value || "oneOf" in value ? [[path, value as TypeSpec]] : [];
  return [...here, ...Object.entries(value).flatMap(([key, inner]) => typesIn(inner, `${path}/${key}`))];
}

test("a union holds no list, and an object only where a resource takes it: Python can do nothing else", () => {
  const isObject = ({ type, $ref }: TypeSpec): boolean =>
    type === "object" || ($ref !== undefined && "properties" in (schema.types[$ref.replace("#/types/", "")] ?? {}));
  const unions = typesIn(schema).filter(([, { oneOf }]) => oneOf !== undefined);
  expect(unions.length).toBeGreaterThan(10);
  expect(unions.filter(([, { oneOf }]) => oneOf!.some(({ type }) => type === "array"))).toEqual([]);
  const withObjects = unions.filter(([, { oneOf }]) => oneOf!.some(isObject)).map(([path]) => path);
  expect(
    withObjects.every((path) => /\/(inputProperties|inputs)\//.test(path)),
    withObjects.join(),
  ).toBe(true);
});

test("every enum is a plain string as well: the platform may return what we do not know", () => {
  const enums = Object.keys(schema.types).filter((name) => "enum" in schema.types[name]!);
  expect(enums).toContain("dataplatform:index:PolicyAction");
  const uses = typesIn(schema).flatMap(([path, { $ref, oneOf }]) => ($ref && !oneOf ? [[path, $ref]] : []));
  expect(uses.filter(([, $ref]) => enums.some((name) => $ref === `#/types/${name}`))).toEqual([]);
});

test("no type has a name made up of its place", () => {
  expect(Object.keys(schema.types).filter((name) => /(Item|Option\d+)$/.test(name))).toEqual([]);
});

test("every id that is a number or text says so, or what else it may be", () => {
  const isId = ({ oneOf = [] }: TypeSpec) =>
    ["integer", "string"].every((one) => oneOf.some(({ type }) => type === one));
  const ids = typesIn(schema).filter(([, type]) => isId(type) || isId((type as { items?: TypeSpec }).items ?? {}));
  const described = ids.filter(([path]) => !/\/items$|\/loaderStable/.test(path));
  expect(described.length).toBeGreaterThan(20);
  for (const [path, type] of described)
    expect((type as PropertySpec).description, path).toMatch(
      /number or text|number, also as text|its name|names or ids/,
    );
});
