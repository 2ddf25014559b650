import { table } from "./docs";
import { type FunctionModel, type Property, secretOutputNames, summary } from "./model";
import { type Flavour, jsdoc, notice, optional, wrapped } from "./typescript";

/** One function of the sdk in both forms, with its argument and result types. */
export function functionFile(model: FunctionModel, example: string): string {
  const { name, typeName, inputs, outputs, definition } = model;
  const usesTypes = [...inputs, ...outputs].some(({ shape }) => JSON.stringify(shape).includes('"$ref"'));
  const doc = `${definition.doc}\n\n${preview(model)}${example ? `\n\n\`\`\`typescript\n${example.trim()}\n\`\`\`` : ""}`;
  const secrets = secretOutputNames(model);
  const outputDoc = `\`${name}\` for arguments that are outputs; the result is an output too${secrets.length > 0 ? `, and a secret when it holds ${secrets.join(" or ")}` : ""}.`;
  const unknownAtPreview = definition.effect === "submits" ? outputs.map((output) => output.name) : undefined;
  const spec = JSON.stringify({ name, unknownAtPreview });
  const none = inputs.every(({ required }) => !required) ? " = {}" : "";
  return `${notice}import type * as pulumi from "@pulumi/pulumi";
import { callFunction, callFunctionOutput } from "../invoke";
import type { OutputFunctionOptions } from "../invoke-options";
${usesTypes ? 'import type * as types from "../types";\n' : ""}
${members(`The arguments of \`${name}\`.`, `${typeName}Args`, inputs, "plain")}
${members(`The arguments of \`${name}Output\`: each may be an output.`, `${typeName}OutputArgs`, inputs, "args")}
${members(`The result of \`${name}\`.`, `${typeName}Result`, outputs, "plain")}
const spec = ${spec};

${jsdoc(doc)}export function ${name}(args: ${typeName}Args${none}, opts?: pulumi.InvokeOptions): Promise<${typeName}Result> {
  return callFunction(spec, args, opts);
}

${jsdoc(outputDoc)}export function ${name}Output(args: ${typeName}OutputArgs${none}, opts?: OutputFunctionOptions): pulumi.Output<${typeName}Result> {
  return callFunctionOutput(spec, args, opts);
}
`;
}

function members(doc: string, type: string, properties: readonly Property[], flavour: Flavour): string {
  // An empty interface would accept anything.
  if (properties.length === 0) return `${jsdoc(doc)}export type ${type} = Record<string, never>;\n`;
  const lines = properties.map(
    ({ name, shape, required, description }) =>
      `${jsdoc(description)}${name}${required ? "" : "?"}: ${wrapped(shape, flavour)}${optional(required)};`,
  );
  return `${jsdoc(doc)}export interface ${type} {\n${lines.join("\n")}\n}\n`;
}

function preview({ definition }: FunctionModel): string {
  return definition.effect === "submits"
    ? "Sent at every `pulumi up`, and never at preview: there every property of the result is unknown."
    : "Runs at preview too: it only reads.";
}

export function functionTable(models: readonly FunctionModel[]): string {
  const rows = models.map(({ name, file, definition }) => {
    const when = definition.effect === "submits" ? "not sent; its result is unknown" : "runs: it only reads";
    const needs = definition.extended?.required ? " Needs the [extended API](docs/extended-api.md)." : "";
    return [`[\`${name}\`](docs/functions/${file}.md)`, summary(definition.doc) + needs, when];
  });
  return table(["function", "what it does", "at preview"], rows);
}
