import { table } from "./docs";
import { type ComponentModel, type Shape, summary } from "./model";
import { jsdoc, notice, optional, typeText, wrapped } from "./typescript";

/** The arguments of a component. Its class is written by hand, because what it creates is its own. */
export function componentArgs({ type, inputs, own }: ComponentModel): string {
  const line = (name: string, shape: Shape, required: boolean): string =>
    `${jsdoc(shape.description ?? "")}${name}${required ? "" : "?"}: ${ownNames(argumentType(shape), own)}${optional(required)};`;
  const parts = [...own].map(([name, shape]) => {
    const needed = new Set(shape.required ?? []);
    const lines = Object.entries(shape.properties ?? {}).map(([key, inner]) => line(key, inner, needed.has(key)));
    return `${jsdoc(shape.description ?? "")}export interface ${name}Args {\n${lines.join("\n")}\n}\n`;
  });
  const lines = inputs.map(({ name, shape, required }) => line(name, shape, required));
  return `${notice}import type * as pulumi from "@pulumi/pulumi";
import type * as types from "../types";

${parts.join("\n")}
${jsdoc(`The arguments of \`${type}\`.`)}export interface ${type}Args {\n${lines.join("\n")}\n}
`;
}

/** What decides which resources there are is plain; everything else may be an output. */
function argumentType(shape: Shape): string {
  if (!shape.plain) return wrapped(shape, "args");
  if (shape.type === "array") return `readonly ${inParentheses(typeText(shape.items ?? {}, "args"))}[]`;
  if (typeof shape.additionalProperties === "object")
    return `Readonly<Record<string, ${typeText(shape.additionalProperties, "args")}>>`;
  return typeText(shape, "args");
}

function inParentheses(text: string): string {
  return text.includes(" | ") ? `(${text})` : text;
}

/** The component's own types are in the same file. */
function ownNames(text: string, own: ReadonlyMap<string, Shape>): string {
  return text.replace(/\btypes\.(\w+)Args\b/g, (found, name: string) => (own.has(name) ? `${name}Args` : found));
}

export function componentTable(models: readonly ComponentModel[]): string {
  const rows = models.map(({ type, file, definition }) => [
    `[\`${type}\`](docs/components/${file}.md)`,
    summary(definition.doc),
  ]);
  return table(["component", "what it is"], rows);
}
