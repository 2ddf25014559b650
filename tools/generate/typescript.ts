import { refName, type Shape } from "./model";

/** `args`: what a program passes, every value may be an output. `plain`: what comes back. */
export type Flavour = "args" | "plain";

export function typeText(shape: Shape, flavour: Flavour, namespace = "types."): string {
  if (shape.$ref) return `${namespace}${refName(shape.$ref)}${flavour === "args" ? "Args" : ""}`;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives)
    return [...new Set(alternatives.map((alternative) => typeText(alternative, flavour, namespace)))].join(" | ");
  const { type } = shape;
  if (typeof type === "object")
    return type.map((one) => typeText({ ...shape, type: one }, flavour, namespace)).join(" | ");
  switch (type) {
    case "array":
      return `${inArray(wrapped(shape.items ?? {}, flavour, namespace))}[]`;
    case "object":
      return objectText(shape, flavour, namespace);
    case "integer":
    case "number":
      return "number";
    case "string":
    case "boolean":
    case "null":
      return type;
    default:
      return "unknown";
  }
}

/** The type of a property or element: in arguments, an output may stand for it. */
export function wrapped(shape: Shape, flavour: Flavour, namespace = "types."): string {
  const text = typeText(shape, flavour, namespace);
  return flavour === "args" ? `pulumi.Input<${text}>` : text;
}

function inArray(text: string): string {
  return /^[\w.]+(<.*>)?$/.test(text) && !text.includes(" | ")
    ? text
    : text.startsWith("pulumi.Input<")
      ? text
      : `(${text})`;
}

function objectText(shape: Shape, flavour: Flavour, namespace: string): string {
  if (!shape.properties) {
    const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : {};
    return `{ [key: string]: ${wrapped(values, flavour, namespace)} }`;
  }
  return `{\n${propertyLines(shape, flavour, namespace)}\n}`;
}

export function propertyLines(shape: Shape, flavour: Flavour, namespace = "types."): string {
  const required = new Set(shape.required ?? []);
  return Object.entries(shape.properties ?? {})
    .map(
      ([name, property]) =>
        `${jsdoc(property.description ?? "")}${name}${required.has(name) ? "" : "?"}: ${wrapped(property, flavour, namespace)}${optional(required.has(name))};`,
    )
    .join("\n");
}

/** With exactOptionalPropertyTypes, a program may still pass undefined for what is optional. */
export function optional(isRequired: boolean): string {
  return isRequired ? "" : " | undefined";
}

export function jsdoc(text: string): string {
  if (!text) return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
