import { capital, refName, type Shape } from "./model";

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
  readonly enum: readonly { readonly name?: string; readonly value: unknown }[];
}

const any: TypeSpec = { $ref: "pulumi.json#/Any" };

/** Where a type is used. The properties of a named type are `shared`: it is the same for arguments and results. */
export type Place = "input" | "output" | "shared";

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
  spec(shape: Shape, name: string, place: Place): PropertySpec {
    const written = this.#type(shape, name, place);
    const type = shape.plain ? withoutOutputs(written) : written;
    const plainDefault = ["string", "number", "boolean"].includes(typeof shape.default) && !type.oneOf;
    // Never `const`: the SDKs of other languages would silently replace a wrong value by it.
    return { ...type, ...(plainDefault ? { default: shape.default } : {}) };
  }

  #type(shape: Shape, name: string, place: Place): TypeSpec {
    if (shape.$ref) return this.#reference(refName(shape.$ref), name, place);
    if (shape.enum) return this.#enum(shape, shape.schemaName ?? name);
    const alternatives = shape.anyOf ?? shape.oneOf ?? severalTypes(shape);
    if (alternatives) return this.#union(alternatives, name, place);
    if (shape.const !== undefined) return { type: typeof shape.const };
    if (shape.type === "array") return { type: "array", items: this.#type(shape.items ?? {}, singular(name), place) };
    if (shape.type === "object") return this.#object(shape, name, place);
    return typeof shape.type === "string" && shape.type !== "null" ? { type: shape.type } : any;
  }

  #reference(target: string, name: string, place: Place): TypeSpec {
    const inline = this.#inline.get(target);
    return inline ? this.#type(inline, name, place) : { $ref: reference(target) };
  }

  #object(shape: Shape, name: string, place: Place): TypeSpec {
    if (shape.properties) return this.#define(name, shape);
    const values = typeof shape.additionalProperties === "object" ? shape.additionalProperties : {};
    return { type: "object", additionalProperties: this.#type(values, name, place) };
  }

  /**
   * A plain string as well: programs write strings first, the provider checks them with a better message, and a
   * platform may return a value that we do not know, which an SDK would reject.
   */
  #enum(shape: Shape, name: string): TypeSpec {
    const type = typeof shape.enum![0];
    return { type, oneOf: [{ type }, this.#define(name, shape)] };
  }

  #union(alternatives: readonly Shape[], name: string, place: Place): TypeSpec {
    const known = alternatives.filter(({ type }) => type !== "null");
    const types = new Map(
      known.map((alternative, index) => {
        const type = this.#type(alternative, known.length > 1 ? `${name}Option${index + 1}` : name, place);
        return [JSON.stringify(type), type];
      }),
    );
    const [first, ...others] = [...types.values()];
    if (others.length === 0) return first ?? any;
    return worksInPython([first!, ...others], place) ? { oneOf: [first!, ...others] } : any;
  }

  #define(name: string, shape: Shape): TypeSpec {
    if (shape.enum) {
      this.#types.set(name, this.#enumSpec(name, shape.enum, shape));
      return { $ref: reference(name) };
    }
    const properties = Object.fromEntries(
      Object.entries(shape.properties ?? {}).map(([property, inner]): [string, PropertySpec] => [
        property,
        { ...this.spec(inner, name + capital(property), "shared"), ...about(inner) },
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

  /** An enum with a name of its own may be used by several properties, each with its own description. */
  #enumSpec(name: string, values: readonly unknown[], shape: Shape): EnumSpec {
    const before = this.#types.get(name);
    if (before && !("enum" in before && sameSet(before.enum, values)))
      throw new Error(`schemaName ${name} is used for two different types; give one of them another name`);
    if (before) return before as EnumSpec;
    const description = shape.schemaName ? {} : about(shape);
    return { type: typeof values[0], ...description, enum: values.map(member) };
  }
}

/** Left alone, Go makes `FolderType_Notebook_dashboards` of `notebook_dashboards`, and Python `SS_E_C` of `SSE-C`. */
function member(value: unknown): EnumSpec["enum"][number] {
  const text = String(value);
  if (!/[_/]|[A-Z]-/.test(text)) return { value };
  const words = text.split(/[_/-]/).map((word) => capital(word.toLowerCase()));
  return { name: words.join(""), value };
}

function sameSet(specs: EnumSpec["enum"], values: readonly unknown[]): boolean {
  return specs.length === values.length && specs.every(({ value }) => values.includes(value));
}

/**
 * Pulumi's Python runtime cannot send a list for a union, nor receive an object for one. (It sends an object with the
 * names as written; `provider/core/spelling.ts` understands them.)
 */
function worksInPython(types: readonly TypeSpec[], place: Place): boolean {
  const isObject = ({ type, $ref }: TypeSpec) => type === "object" || $ref !== undefined;
  return !types.some((one) => one.type === "array" || (isObject(one) && place !== "input"));
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

function singular(name: string): string {
  return name.endsWith("ies") ? `${name.slice(0, -3)}y` : name.endsWith("s") ? name.slice(0, -1) : `${name}Item`;
}
