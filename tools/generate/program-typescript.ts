import { type Program, partsOf, secretIn } from "./program";

/** For the test only, and so not formatted: pages show the projects of examples/. */
export function typescriptProgram({ settings, declarations, outputs }: Program): string {
  return [
    'import * as pulumi from "@pulumi/pulumi";\nimport * as dataplatform from "pulumi-dataplatform";',
    "const config = new pulumi.Config();",
    ...settings.map((name) => `const ${name} = config.require("${name}");`),
    ...declarations.map(({ name, type, isFunction, args, dependsOn }) => {
      const begin = isFunction ? `dataplatform.${type}Output(` : `new dataplatform.${type}("${name}", `;
      return `const ${name} = ${begin}${expression(args)}, { dependsOn: [${dependsOn.join(", ")}] });`;
    }),
    ...Object.entries(outputs).map(([name, value]) => `export const ${name} = ${expression(value)};`),
    "",
  ].join("\n");
}

function expression(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const secret = secretIn(value);
    const entries = Object.entries(value).map(([key, one]) => `${key}: ${expression(one)}`);
    return secret ? `config.requireSecret("${secret}")` : `{ ${entries.join(", ")} }`;
  }
  if (typeof value !== "string" || !value.includes("${")) return JSON.stringify(value);
  const [first, ...rest] = partsOf(value);
  return first?.reference && rest.length === 0 ? first.reference : `pulumi.interpolate\`${value}\``;
}
