import { refName, type Shape } from "./model";

/** A type in Pulumi's package schema. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
  /** Not an output. */
  readonly plain?: boolean;
}

export interface PropertySpec extends TypeSpec {
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly secret?: boolean;
  readonly willReplaceOnChanges?: boolean;
}

export interface ObjectSpec {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Record<string, PropertySpec>;
  readonly required?: readonly string[];
}

interface EnumSpec {
  readonly type: string;
  readonly description?: string;
  readonly enum: readonly { readonly value: unknown }[];
}

const any: TypeSpec = { $ref: "pulumi.json#/Any" };

/** Pulumi's schema has no inline types, so every object and enum gets a name. */
export class SchemaTypes {
  readonly #types = new Map<string, ObjectSpec | EnumSpec>();
  /** Named types that are neither objects nor enums are inlined where they are used. */
  readonly #inline = new Map<string, Shape>();

  add(name: string, shape: Shape): void {
    if (shape.properties || shape.enum) this.#define(name, shape);
    else this.#inline.set(name, shape);
  }

  all(): Record<string, ObjectSpec | EnumSpec> {
    const sorted = [...this.#types].sort(([a], [b]) => a.localeCompare(b));
    return Object.fromEntries(sorted.map(([name, spec]) => [`dataplatform:index:${name}`, spec]));
  }

  /** The type of a property; `name` is used for unnamed types. */
  spec(shape: Shape, name: string): PropertySpec {
    const type = shape.plain ? withoutOutputs(this.#type(shape, name)) : this.#type(shape, name);
    const plainDefault = ["string", "number", "boolean"].includes(typeof shape.default) && !type.oneOf;
    return {
      ...type,
      ...(shape.const === undefined ? {} : { const: shape.const }),
      ...(plainDefault ? { default: shape.default } : {}),
    };
  }

  #type(shape: Shape, name: string): TypeSpec {
    if (shape.$ref) return this.#reference(refName(shape.$ref), name);
    if (shape.enum) return this.#define(name, shape);
    const alternatives = shape.anyOf ?? shape.oneOf ?? severalTypes(shape);
    if (alternatives) return this.#union(alternatives, name);
    if (shape.const !== undefined) return { type: typeof shape.const };
    if (shape.type === "array") return { type: "array", items: this.#type(shape.items ?? {}, singular(name)) };
    if (shape.type === "object") return this.#object(shape, name);
    return typeof shape.type === "string" && shape.type !== "null" ? { type: shape.type } : any;
  }

  #reference(target: string, name: string): TypeSpec {
    const inline = this.#inline.get(target);
    return inline ? this.#type(inline, name) : { $ref: reference(target) };
  }

  #object(shape: Shape, name: string): TypeSpec {
    if (shape.properties) return this.#define(name, shape);
    const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : {};
    return { type: "object", additionalProperties: this.#type(values, name) };
  }

  #union(alternatives: readonly Shape[], name: string): TypeSpec {
    const known = alternatives.filter(({ type }) => type !== "null");
    const types = new Map(
      known.map((alternative, index) => {
        const type = this.#type(alternative, known.length > 1 ? `${name}Option${index + 1}` : name);
        return [JSON.stringify(type), type];
      }),
    );
    const [first, ...others] = [...types.values()];
    return others.length === 0 ? (first ?? any) : { oneOf: [first!, ...others] };
  }

  #define(name: string, shape: Shape): TypeSpec {
    if (shape.enum) {
      const type = typeof shape.enum[0];
      this.#types.set(name, { type, ...about(shape), enum: shape.enum.map((value) => ({ value })) });
      return { $ref: reference(name) };
    }
    const properties = Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([property, inner]): [string, PropertySpec] => [
        property,
        { ...this.spec(inner, name + capital(property)), ...about(inner) },
      ]),
    );
    const required = shape.required ?? [];
    this.#types.set(name, {
      type: "object",
      ...about(shape),
      properties,
      ...(required.length > 0 ? { required } : {}),
    });
    return { $ref: reference(name) };
  }
}

function withoutOutputs({ items, additionalProperties, ...type }: TypeSpec): TypeSpec {
  return {
    ...type,
    ...(items && { items: withoutOutputs(items) }),
    ...(additionalProperties && { additionalProperties: withoutOutputs(additionalProperties) }),
    plain: true,
  };
}

/** JSON Schema's short form of a union: `type: ["string", "number"]`. */
function severalTypes({ type }: Shape): readonly Shape[] | undefined {
  return Array.isArray(type) ? (type as readonly string[]).map((single): Shape => ({ type: single })) : undefined;
}

function about({ description }: Shape): { readonly description?: string } {
  return description ? { description } : {};
}

function reference(name: string): string {
  return `#/types/dataplatform:index:${name}`;
}

function capital(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

function singular(name: string): string {
  return name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.endsWith("s") ? name.slice(0, -1) : `${name}Item`;
}
