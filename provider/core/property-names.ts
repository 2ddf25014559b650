import type { z } from "zod";
import { closest } from "../values/closest";
import { snake } from "../values/python";

/** What to write instead of an unknown name: the one that was probably meant, or all of them. */
export function hintFor(name: string, allowed: readonly string[]): string {
  const close = closest(name, allowed);
  if (!close) return `expected one of ${allowed.join(", ")}`;
  // Python writes the keys of dictionaries so, and the provider does not know the language of the program.
  const inPython = snake(close);
  const isPython = name.includes("_") && name !== inPython && close !== inPython;
  return `did you mean ${close}${isPython ? ` (in Python ${inPython})` : ""}?`;
}

/** The property names that a schema has at a path. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(objectsAt(schema, path).flatMap((object) => Object.keys(object)))];
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function objectsAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): Shape[] {
  const { properties, values, same = [] } = structureOf(schema);
  const [key, ...rest] = path;
  if (key === undefined) return properties ? [properties] : same.flatMap((inner) => objectsAt(inner, path));
  const inside = typeof key === "string" && properties && Object.hasOwn(properties, key) ? properties[key] : values;
  return [...(inside ? objectsAt(inside, rest) : []), ...same.flatMap((inner) => objectsAt(inner, path))];
}

/** What is in a schema: properties, the values of a map or of a list, or schemas of the same value, such as alternatives. */
export function structureOf(schema: z.core.$ZodType): {
  readonly properties?: Shape;
  readonly values?: z.core.$ZodType;
  readonly isMap?: boolean;
  readonly same?: readonly z.core.$ZodType[];
} {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return { properties: def.shape };
    case "record":
      return { values: def.valueType, isMap: true };
    case "array":
      return { values: def.element };
    case "union":
      return { same: def.options };
    case "optional":
    case "default":
    case "nullable":
    case "prefault":
    case "readonly":
      return { same: [def.innerType] };
    case "pipe":
      return { same: [def.in] };
    default:
      return {};
  }
}
