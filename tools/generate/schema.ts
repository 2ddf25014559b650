import { readFileSync } from "node:fs";
import { type SettingName, settingSpecs } from "../../provider/api/settings";
import type { AnyResource } from "../../provider/core/define";
import type { ComponentDefinition } from "../../provider/core/define-component";
import type { AnyFunction } from "../../provider/core/define-function";
import { secretsOf } from "../../provider/core/secrets";
import { kebab } from "../../provider/resources/load";
import { codeBlocks, type Excerpt, type LanguageExamples } from "./languages";
import { type Property, propertiesOf, type Shape } from "./model";
import { type ObjectSpec, type Place, type PropertySpec, SchemaTypes } from "./schema-types";

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly keywords: readonly string[];
  readonly homepage?: string;
  readonly repository?: string | { readonly url: string };
}

interface Sources {
  readonly packageJson: string;
  readonly examples: LanguageExamples;
  /** The TypeScript example of a page. */
  exampleOf(file: string): string;
}

/** Pulumi's package schema: for the plugin, for `pulumi import` and for SDKs in other languages. */
export function packageSchema(
  resources: readonly AnyResource[],
  functions: readonly AnyFunction[],
  components: readonly ComponentDefinition[],
  { packageJson, ...sources }: Sources,
): string {
  const file = JSON.parse(readFileSync(packageJson, "utf8")) as PackageFile;
  const { name, version, description, license, keywords } = file;
  const types = new SchemaTypes();
  const schema = {
    name: "dataplatform",
    displayName: "Data Platform",
    version,
    description,
    keywords: [...keywords, "kind/native"],
    license,
    publisher: name,
    ...addresses(file),
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: name, respectSchemaVersion: true },
      python: {
        packageName: "pulumi_dataplatform",
        respectSchemaVersion: true,
        pythonRequires: ">=3.10",
        pyproject: { enabled: true },
      },
      go: { respectSchemaVersion: true },
      csharp: { respectSchemaVersion: true },
    },
    config: { variables: settings() },
    provider: {
      description: "The account that resources belong to. What is not given is taken from the environment.",
      inputProperties: settings(),
    },
    resources: Object.fromEntries([
      ...resources.map((resource) => [token(resource.type), resourceSpec(resource, types, sources)]),
      ...components.map((component) => [token(component.type), componentSpec(component, types)]),
    ]),
    functions: Object.fromEntries(functions.map((fn) => [token(fn.name), functionSpec(fn, types, sources)])),
  };
  // Types come last: they are complete once everything that uses them has been described.
  return `${JSON.stringify({ ...schema, types: types.all() }, null, 2)}\n`;
}

/** Where the project lives, once package.json says so; Go's import path and the plugin's download follow from it. */
function addresses({ homepage, repository }: PackageFile) {
  const url = (typeof repository === "object" ? repository.url : repository)?.replace(/^git\+|\.git$/g, "");
  const [, onGitHub] = /^https:\/\/github\.com\/([^/]+\/[^/]+)$/.exec(url ?? "") ?? [];
  return {
    ...(homepage && { homepage }),
    ...(url && { repository: url }),
    ...(onGitHub && { pluginDownloadURL: `github://api.github.com/${onGitHub}` }),
  };
}

export function token(name: string): string {
  return `dataplatform:index:${name}`;
}

/** No defaults here: an SDK would write them to the provider's inputs and so override the environment. */
function settings(): Record<string, PropertySpec> {
  return Object.fromEntries(
    (Object.keys(settingSpecs) as SettingName[]).map((name): [string, PropertySpec] => {
      const spec = settingSpecs[name];
      const fallback = "default" in spec ? ` Default: ${spec.default}.` : "";
      const description = `${spec.doc} Environment variable: ${spec.env}.${fallback}`;
      return [name, { type: spec.type, description, ...("secret" in spec ? { secret: true } : {}) }];
    }),
  );
}

function resourceSpec(
  resource: AnyResource,
  types: SchemaTypes,
  { examples, exampleOf }: Omit<Sources, "packageJson">,
) {
  // Outputs first, so that for shared types the input version, where more is optional, wins.
  const outputs = described(resource.type, resource.outputs, secretsOf(resource), types, "output");
  const inputs = described(resource.type, resource.inputs, secretsOf(resource), types, "input");
  const inputProperties = Object.fromEntries(
    Object.entries(inputs.properties).map(([name, property]): [string, PropertySpec] => {
      const replaces = resource.replaceOn.includes(name);
      return [name, replaces ? { ...property, willReplaceOnChanges: true } : property];
    }),
  );
  const plain = Object.fromEntries(
    Object.entries(
      described(resource.type, resource.inputs, secretsOf(resource), types, "input", "output").properties,
    ).map(([name, { default: _, ...property }]): [string, PropertySpec] => [name, property]),
  );
  return {
    description: resourceDoc(resource, exampleUsage(exampleOf(kebab(resource.type)), examples(resource.type))),
    properties: { ...plain, ...outputs.properties },
    required: [...new Set([...inputs.required, ...outputs.required])],
    inputProperties,
    requiredInputs: inputs.required,
    // Says that the resource can be listed; there is nothing to filter by.
    ...(resource.list || resource.extended?.list ? { listInputs: { type: "object" } } : {}),
    aliases: [{ type: `pulumi-nodejs:dynamic/dataplatform:${resource.type}` }],
  };
}

/** As Pulumi's registry and SDK generators expect it: each shows the languages it is for. */
function exampleUsage(typescript: string, excerpts: readonly Excerpt[]): string {
  const blocks = `\`\`\`typescript\n${typescript.trim()}\n\`\`\`\n\n${codeBlocks(excerpts)}`;
  return `{{% examples %}}\n## Example Usage\n\n{{% example %}}\n${blocks}\n{{% /example %}}\n{{% /examples %}}`;
}

function componentSpec({ type, doc, inputs, outputs }: ComponentDefinition, types: SchemaTypes) {
  const { properties, required } = described(type, outputs, [], types, "output");
  const { properties: inputProperties, required: requiredInputs } = described(type, inputs, [], types, "input");
  return { isComponent: true, description: doc, properties, required, inputProperties, requiredInputs };
}

function resourceDoc({ type, doc, importId }: AnyResource, usage: string): string {
  const note = importId.note ? `\n\n${importId.note}` : "";
  return `${doc}\n\n${usage}\n\n## Import\n\nThe id is ${importId.format}:\n\n\`\`\`sh\npulumi import ${token(type)} my-name '${importId.example}'\n\`\`\`${note}`;
}

function functionSpec(fn: AnyFunction, types: SchemaTypes, { examples, exampleOf }: Omit<Sources, "packageJson">) {
  const owner = fn.name[0]!.toUpperCase() + fn.name.slice(1);
  const outputs = described(owner, fn.outputs, secretsOf(fn), types, "output");
  // Python's SDK accepts only a dictionary where a result can be anything: the plugin returns it as text.
  for (const property of Object.values(outputs.properties))
    if (property.$ref === "pulumi.json#/Any") Object.assign(property, { $ref: undefined, type: "string" });
  const inputs = described(owner, fn.inputs, secretsOf(fn), types, "input");
  const usage = exampleUsage(exampleOf(kebab(fn.name)), examples(fn.name));
  return {
    description: `${fn.doc}\n\n${usage}`,
    inputs: object(inputs),
    outputs: object(outputs),
    // For tools/sdks/python.mjs; Pulumi's own generators do not know it.
    ...(fn.effect === "submits" ? { language: { python: { unknownAtPreview: true } } } : {}),
  };
}

function object({ properties, required }: Described): ObjectSpec {
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) };
}

interface Described {
  readonly properties: Record<string, PropertySpec>;
  readonly required: readonly string[];
}

function described(
  owner: string,
  schema: AnyResource["inputs"],
  secrets: readonly string[],
  types: SchemaTypes,
  io: "input" | "output",
  place: Place = io,
): Described {
  const named = new Map<string, Shape>();
  const found = propertiesOf(schema, named, io);
  for (const [name, shape] of named) types.add(name, shape);
  const spec = (property: Property): PropertySpec => ({
    ...types.spec(property.shape, `${owner}${property.name[0]!.toUpperCase()}${property.name.slice(1)}`, place),
    description: property.description,
    ...(isSecret(property.name, secrets) ? { secret: true } : {}),
  });
  return {
    properties: Object.fromEntries(found.map((property) => [property.name, spec(property)])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** Here a property with a secret anywhere inside is secret as a whole; the plugin marks the exact place. */
function isSecret(name: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret === name || secret.startsWith(`${name}.`));
}
