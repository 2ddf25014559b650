import { z } from "zod";
import type { AnyResource } from "../../provider/core/define";
import type { ComponentDefinition } from "../../provider/core/define-component";
import type { AnyFunction } from "../../provider/core/define-function";
import { kebab } from "../../provider/resources/load";

/** The subset of JSON Schema that zod produces from our schemas and the generators understand. */
export interface Shape {
  /** An array for a union of simple types. */
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly $ref?: string;
  /** Became optional in a later version; outputs keep the type that programs were compiled with. */
  readonly secret?: boolean;
  readonly wasRequired?: boolean;
  /** Of a component: not an output, because it decides which resources there are. */
  readonly plain?: boolean;
  /** Name of an enum in Pulumi's schema, where it must have one; properties with the same values share it. */
  readonly schemaName?: string;
  /** Of an id: in which form it is given, in words. */
  readonly form?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Property {
  readonly name: string;
  readonly shape: Shape;
  readonly required: boolean;
  readonly secret: boolean;
  readonly replaces: boolean;
  readonly description: string;
}

/** What the generators need to know about a definition. */
interface Model<Definition> {
  readonly definition: Definition;
  readonly file: string;
  readonly inputs: readonly Property[];
  readonly outputs: readonly Property[];
}

export interface ResourceModel extends Model<AnyResource> {
  readonly type: string;
}

export interface FunctionModel extends Model<AnyFunction> {
  readonly name: string;
  /** PascalCase prefix of its type names. */
  readonly typeName: string;
}

export interface ComponentModel extends Model<ComponentDefinition> {
  readonly type: string;
  /** The named types of its inputs: its own, which others do not use, and those that resources use too. */
  readonly own: ReadonlyMap<string, Shape>;
  readonly shared: ReadonlyMap<string, Shape>;
}

/** Collects all named types in `types`. */
export function modelOf(definition: AnyResource, types: Map<string, Shape>): ResourceModel {
  const isReplacing = (name: string): boolean => definition.replaceOn.includes(name);
  return {
    definition,
    type: definition.type,
    file: kebab(definition.type),
    inputs: propertiesOf(definition.inputs, types, "input").map((property) => ({
      ...property,
      replaces: isReplacing(property.name),
    })),
    outputs: propertiesOf(definition.outputs, types, "output"),
  };
}

/** Collects all named types in `types`. */
export function functionModelOf(definition: AnyFunction, types: Map<string, Shape>): FunctionModel {
  const { name, inputs, outputs } = definition;
  return {
    ...{ definition, name, typeName: capital(name), file: kebab(name) },
    inputs: propertiesOf(inputs, types, "input"),
    outputs: propertiesOf(outputs, types, "output"),
  };
}

/** `known`: the named types of resources and functions. */
export function componentModelOf(definition: ComponentDefinition, known: ReadonlyMap<string, Shape>): ComponentModel {
  const { type } = definition;
  const types = new Map<string, Shape>();
  const inputs = propertiesOf(definition.inputs, types, "input");
  const outputs = propertiesOf(definition.outputs, new Map(), "output");
  const own = new Map([...types].filter(([name]) => !known.has(name)));
  const shared = new Map([...types].filter(([name]) => known.has(name)));
  return { definition, type, file: kebab(type), inputs, outputs, own, shared };
}

/** Names of the secret outputs, in backticks; empty if there are none. */
export function secretOutputNames({ outputs }: FunctionModel): string[] {
  return outputs.filter(({ secret }) => secret).map(({ name }) => `\`${name}\``);
}

export function propertiesOf(schema: z.ZodObject, types: Map<string, Shape>, io: "input" | "output"): Property[] {
  const json = withForms(z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Shape) as Shape & {
    readonly $defs?: Record<string, Shape>;
  };
  for (const [name, shape] of Object.entries(json.$defs ?? {})) types.set(name, shape);
  const required = new Set(json.required ?? []);
  return Object.entries(json.properties ?? {}).map(([name, shape]) => {
    if (!shape.description) throw new Error(`property ${name} has no description; .describe() must come last`);
    return {
      name,
      shape,
      required: required.has(name),
      secret: shape.secret === true,
      replaces: false,
      description: shape.description,
    };
  });
}

/** Says of every id in which form it is given: the same in the schema, the classes and the pages. */
function withForms(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withForms);
  if (typeof value !== "object" || value === null) return value;
  const shape = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withForms(inner)])) as Shape;
  const form = shape.form ?? (shape.items?.form && `each is ${shape.items.form}`);
  if (!form || !shape.description) return shape;
  return { ...shape, description: `${shape.description} ${capital(form)}.` };
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function refName(ref: string): string {
  return ref.split("/").at(-1)!;
}

/** The first paragraph. */
export function summary(doc: string): string {
  return doc.split("\n\n", 1)[0]!.trim();
}
