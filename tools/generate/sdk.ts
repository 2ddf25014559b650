import type { AnyResource } from "../../provider/core/define";
import { withExtendedApi } from "../../provider/core/extended";
import { changesInPlace } from "../../provider/core/limits";
import { secretsOf } from "../../provider/core/secrets";
import { table } from "./docs";
import { type Property, type ResourceModel, type Shape, summary } from "./model";
import { type Flavour, jsdoc, notice, optional, propertyLines, typeText, wrapped } from "./typescript";

/** One class of the sdk, with its arguments. */
export function resourceClass(model: ResourceModel, example: string): string {
  const { type, inputs, outputs, definition } = model;
  const usesTypes = [...inputs, ...outputs].some(({ shape }) => JSON.stringify(shape).includes('"$ref"'));
  const doc = `${definition.doc}\n\n${example ? `\`\`\`typescript\n${example.trim()}\n\`\`\`\n\n` : ""}Import id: ${definition.importId.format}, for example \`${definition.importId.example}\`.`;
  const names = [...new Set([...inputs, ...outputs].map(({ name }) => name))];
  const argsOptional = inputs.every(({ required }) => !required);
  const deleteFirst = definition.keys?.deleteFirst === true ? ", deleteFirst: true" : "";
  const traits = `{ names: ${JSON.stringify(names)}, secrets: ${JSON.stringify(secretsOf(definition))}${deleteFirst} }`;
  return `${notice}import * as pulumi from "@pulumi/pulumi";
import { type PlatformResourceOptions, registration } from "../runtime";
${usesTypes ? 'import type * as types from "../types";\n' : ""}
${jsdoc(`The inputs of \`${type}\`.`)}export interface ${type}Args {
${inputs.map((property) => `${jsdoc(inputDoc(property, definition))}${property.name}${property.required ? "" : "?"}: ${wrapped(property.shape, "args")}${optional(property.required)};`).join("\n")}
}

${jsdoc(doc)}export class ${type} extends pulumi.CustomResource {
${[...inputs.filter((input) => !outputs.some(({ name }) => name === input.name)), ...outputs].map(outputLine).join("\n")}

  /** Gets an existing resource by its id, without managing it. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: PlatformResourceOptions): ${type} {
    return new ${type}(name, {} as ${type}Args, { ...opts, id });
  }

  constructor(name: string, args: ${type}Args${argsOptional ? " = {}" : ""}, opts?: PlatformResourceOptions) {
    super(...registration(${JSON.stringify(type)}, name, args, ${traits}, opts));
  }
}
`;
}

function inputDoc({ name, description, replaces, secret }: Property, definition: AnyResource): string {
  const isAlways = withExtendedApi(definition).replaceOn.includes(name);
  return [
    description,
    ...(replaces
      ? [`Changing it replaces the resource${isAlways ? "" : ", unless the extended API can change it"}.`]
      : []),
    ...(secret ? ["Kept as a secret."] : []),
  ].join(" ");
}

function outputLine(property: Property): string {
  const text = typeText(property.shape, "plain");
  return `${jsdoc(property.description)}declare readonly ${property.name}: pulumi.Output<${text}${optional(property.required || property.shape.wasRequired === true)}>;`;
}

/** The named types: as outputs, and as arguments where a file of the sdk, or another argument, takes them. */
export function typesFile(types: ReadonlyMap<string, Shape>, files: ReadonlyMap<string, string>): string {
  const texts = [...files].flatMap(([path, text]) => (path.startsWith("sdk/") ? text : [])).join();
  const isArgument = (name: string): boolean =>
    texts.includes(`types.${name}Args`) ||
    [...types].some(([other, shape]) => JSON.stringify(shape).includes(`/${name}"`) && isArgument(other));
  const bodies = [...types]
    .sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([name, shape]) => [
      ...(isArgument(name) ? [namedType(name, shape, "args")] : []),
      namedType(name, shape, "plain"),
    ]);
  const usesPulumi = bodies.some((body) => body.includes("pulumi."));
  return `${notice}${usesPulumi ? 'import type * as pulumi from "@pulumi/pulumi";\n' : ""}\n${bodies.join("\n") || "export {};\n"}`;
}

function namedType(name: string, shape: Shape, flavour: Flavour): string {
  const full = flavour === "args" ? `${name}Args` : name;
  const doc = jsdoc(shape.description ?? "");
  if (shape.properties) return `${doc}export interface ${full} {\n${propertyLines(shape, flavour, "")}\n}\n`;
  return `${doc}export type ${full} = ${typeText(shape, flavour, "")};\n`;
}

export function indexFile(modules: readonly string[]): string {
  const lines = modules.map((path) => `export * from ${JSON.stringify(path)};`);
  return `${notice}${lines.join("\n")}\nexport type { PlatformResourceOptions } from "./runtime";\nexport type * as types from "./types";\n`;
}

/** Short answers, without and with the extended API; the resource's page has the details. */
export function resourceTable(models: readonly ResourceModel[]): string {
  const rows = models.map(({ type, file, definition }) => [
    `[\`${type}\`](docs/resources/${file}.md)`,
    summary(definition.doc),
    definition.extended?.required ? "–" : abilitiesOf(definition),
    abilitiesOf(withExtendedApi(definition)),
    definition.importId.format,
  ]);
  const able = "refresh sees it / a change / destroy removes it";
  return table(["resource", "what it is", able, "with the [extended API](docs/extended-api.md)", "import id"], rows);
}

/** Whether refresh sees it, it can be changed, and destroy removes it. */
function abilitiesOf(definition: AnyResource): string {
  const { read, limits, inputs } = definition;
  const refresh = !read ? "no" : limits.refresh ? "in part" : "yes";
  const change = changesInPlace(definition) ? "yes" : "replaced";
  const destroy = !definition.delete ? "no" : "onDestroy" in inputs.shape ? "`onDestroy`" : "yes";
  return [refresh, change, destroy].join(" / ");
}
