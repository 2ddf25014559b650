import type { z } from "zod";
import { closest } from "../values/closest";

/** What to write instead of an unknown name: the one that was probably meant, or all of them. */
export function hintFor(name: string, allowed: readonly string[]): string {
  const close = closest(name, allowed);
  return close ? `did you mean ${close}?` : `expected one of ${allowed.join(", ")}`;
}

/** The property names that a schema has at a path. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(objectsAt(schema, path).flatMap((object) => Object.keys(object)))];
}

type Shape = Readonly<Record<string, z.core.$ZodType>>;

function objectsAt(schema: z.core.$ZodType, [key, ...rest]: readonly PropertyKey[]): Shape[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const path = key === undefined ? [] : [key, ...rest];
  switch (def.type) {
    case "object":
      if (key === undefined) return [def.shape];
      return typeof key === "string" && def.shape[key] ? objectsAt(def.shape[key], rest) : [];
    case "record":
      return key === undefined ? [] : objectsAt(def.valueType, rest);
    case "array":
      return key === undefined ? [] : objectsAt(def.element, rest);
    case "union":
      return def.options.flatMap((option) => objectsAt(option, path));
    case "optional":
    case "default":
    case "nullable":
    case "prefault":
    case "readonly":
      return objectsAt(def.innerType, path);
    case "pipe":
      return objectsAt(def.in, path);
    default:
      return [];
  }
}
