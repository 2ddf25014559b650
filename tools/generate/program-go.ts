import { type Code, group, layout } from "./layout";
import { capital } from "./model";
import { type Declaration, type Program, partsOf, secretIn } from "./program";
import type { ObjectSpec, PropertySpec, TypeSpec } from "./schema-types";

/** The parts of the schema that say which Go type a value has. */
export interface Schema {
  readonly resources: Record<string, { inputProperties: Record<string, PropertySpec> }>;
  readonly functions: Record<string, { inputs: ObjectSpec }>;
  readonly types: Record<string, { properties?: ObjectSpec["properties"]; enum?: { name?: string; value: unknown }[] }>;
}

/** As gofmt writes it, which leaves the length of lines to us. */
const style = { width: 100, indent: "\t", aligned: true };
const scalars: Readonly<Record<string, string>> = {
  string: "String",
  integer: "Int",
  number: "Float64",
  boolean: "Bool",
};

export class GoProgram {
  constructor(
    readonly program: Program,
    readonly schema: Schema,
  ) {}

  text(): string {
    const { settings, declarations, outputs } = this.program;
    const exports = Object.entries(outputs).map(([name, value]) => [`ctx.Export("${name}", `, this.#value(value), ")"]);
    const body = [
      ...settings.map((name) => `${name} := config.Require(ctx, "${name}")`),
      ...declarations.map((one) => this.#statement(one)),
      ...exports,
      "return nil",
    ];
    const lines = body.map((code) => `\t\t${layout(code, style, 2, "\t\t")}\n`).join("");
    const sdk = "github.com/pulumi/pulumi/sdk/v3/go/pulumi";
    const imports = ["example.com/pulumi-dataplatform/sdk/go/dataplatform", sdk, `${sdk}/config`];
    return `package main\n\nimport (\n${imports.map((path) => `\t"${path}"\n`).join("")})\n
func main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n${lines}\t})\n}\n`;
  }

  excerpt(declaration: Declaration): string {
    return layout(this.#assignment(declaration), style);
  }

  #statement(declaration: Declaration): Code {
    const assignment = this.#assignment(declaration);
    if (declaration.isFunction) return assignment;
    const check = "err != nil {\n\t\t\treturn err\n\t\t}";
    return declaration.isUsed ? [assignment, `\n\t\tif ${check}`] : ["if ", assignment, `; ${check}`];
  }

  #assignment({ name, type, isFunction, args, dependsOn, isUsed }: Declaration): Code {
    const token = `dataplatform:index:${type}`;
    if (isFunction) {
      // Where a resource has the name, `Get…` is the resource's own.
      const isTaken = token.replace(":get", ":") in this.schema.resources;
      const called = `dataplatform.${isTaken ? type.replace("get", "Lookup") : capital(type)}Output`;
      const own = this.#object(`${called}Args`, args, this.schema.functions[token]!.inputs.properties);
      return [`${name} := ${called}(ctx, `, own, ")"];
    }
    const own = this.#object(`&dataplatform.${type}Args`, args, this.schema.resources[token]!.inputProperties);
    const options = dependsOn.length > 0 ? `, pulumi.DependsOn([]pulumi.Resource{${dependsOn.join(", ")}})` : "";
    return [`${isUsed ? name : "_"}, err := dataplatform.New${type}(ctx, "${name}", `, own, `${options})`];
  }

  #object(type: string, values: object, properties: Record<string, TypeSpec>): Code {
    const entries = Object.entries(values);
    return group(
      `${type}{`,
      entries.map(([key, one]) => ({ key: `${capital(key)}: `, value: this.#value(one, properties[key]) })),
      "}",
    );
  }

  #value(value: unknown, spec: TypeSpec = {}): Code {
    if (Array.isArray(value)) {
      const type = spec.type ? goType(spec) : "pulumi.Array";
      return group(
        `${type}{`,
        value.map((one) => ({ value: this.#value(one, spec.items) })),
        "}",
      );
    }
    if (typeof value === "object" && value !== null) return this.#record(value, spec);
    if (typeof value === "string" && value.includes("${")) return this.#interpolated(value);
    const literal = JSON.stringify(value);
    if (spec.plain) return literal;
    const kind = spec.type ?? (typeof value === "number" ? "integer" : typeof value);
    return this.#constant(value, spec) ?? `pulumi.${scalars[kind]}(${literal})`;
  }

  #record(value: object, spec: TypeSpec): Code {
    const secret = secretIn(value);
    if (secret) return `config.RequireSecret(ctx, "${secret}")`;
    const named = [spec, ...(spec.oneOf ?? [])].find(({ $ref }) => $ref?.startsWith("#"));
    if (named) {
      const { properties = {} } = this.schema.types[named.$ref!.slice("#/types/".length)]!;
      return this.#object(`${spec.plain ? "&" : ""}${goType(named)}Args`, value, properties);
    }
    const element = { ...spec.additionalProperties, plain: false };
    const items = Object.entries(value).map(([key, one]) => ({ key: `"${key}": `, value: this.#value(one, element) }));
    return group(`${spec.type ? goType(spec) : "pulumi.Map"}{`, items, "}");
  }

  /** The name of a value of an enum, where it is plain how Pulumi's generator spells it. */
  #constant(value: unknown, { oneOf = [] }: TypeSpec): string | undefined {
    const named = oneOf.find(({ $ref }) => $ref);
    const found =
      named && this.schema.types[named.$ref!.slice("#/types/".length)]!.enum?.find((one) => one.value === value);
    const name = found && capital(found.name ?? String(value));
    return name && /^\w+$/.test(name) ? goType(named) + name : undefined;
  }

  #interpolated(text: string): string {
    const parts = partsOf(text);
    const references = parts.flatMap(({ reference }) => (reference ? [this.#reference(reference)] : []));
    if (parts.length === 1) return references[0]!;
    const isKnown = parts.every(({ reference }) => !reference || this.program.settings.includes(reference));
    if (isKnown)
      return `pulumi.String(${parts.map(({ text, reference }) => reference ?? JSON.stringify(text)).join(" + ")})`;
    return `pulumi.Sprintf(${[JSON.stringify(text.replace(/\$\{[^}]+\}/g, "%v")), ...references].join(", ")})`;
  }

  #reference(reference: string): string {
    const isFunction = this.program.declarations.some((one) => one.isFunction && reference.startsWith(`${one.name}.`));
    return reference
      .replace(/\.(\w+)/g, (_, key: string) => `.${capital(key)}${isFunction ? "()" : ""}`)
      .replace(/\.Id$/, ".ID()")
      .replace(/\[(\d+)\]/g, ".Index(pulumi.Int($1))")
      .replace(/\[("\w+")\]/g, ".MapIndex(pulumi.String($1))");
  }
}

function goType({ type = "", $ref, items, additionalProperties, plain }: TypeSpec): string {
  if ($ref?.startsWith("#")) return `dataplatform.${$ref.split(":").at(-1)}`;
  if (items) return plain ? "[]string" : `${goType(items)}Array`;
  if (additionalProperties)
    return plain ? `map[string]${goType(additionalProperties)}Args` : `${goType(additionalProperties)}Map`;
  return `pulumi.${scalars[type] ?? ""}`;
}
