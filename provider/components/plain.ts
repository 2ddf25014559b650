import { z } from "zod";
import type { CheckFailure } from "../core/check";
import { unknownValue } from "../core/engine-values";
import type { Properties } from "../core/properties";
import { structureOf } from "../core/property-names";
import { isFields } from "../values/json";

/** Whether a value of a program belongs to Pulumi, such as an output, and is not to be looked into. */
export type IsOpaque = (value: unknown) => boolean;

/**
 * The arguments of a program as the check sees them: what is not there yet is unknown, and null is absent, as it is in
 * every language.
 */
export function knownPartOf(args: object, isOpaque: IsOpaque): Properties {
  const visit = (value: unknown): unknown => {
    if (isOpaque(value)) return unknownValue;
    if (Array.isArray(value)) return value.map(visit);
    return isFields(value) ? Object.fromEntries(present(value).map(([key, inner]) => [key, visit(inner)])) : value;
  };
  return visit(args) as Properties;
}

/** The arguments without parts, and without names in parts, that are null. Properties may mean something by it. */
export function withoutNullParts<T>(args: T, isOpaque: IsOpaque, depth = 2): T {
  if (depth === 0 || isOpaque(args) || !isFields(args)) return args;
  const inside = present(args).map(([key, inner]) => [key, withoutNullParts(inner, isOpaque, depth - 1)]);
  return Object.fromEntries(inside) as T;
}

const mustBePlain =
  "is an output, or not known yet; write it out, because it decides which resources there are. The values inside it may be outputs";

/** What must be known at preview: it decides which resources there are, or what they are called. */
export function plainProblems(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly string[] = [],
): readonly CheckFailure[] {
  if (value === unknownValue) return [{ property: path.join("."), reason: mustBePlain }];
  if (!isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const plain = plainPartOf(schema, key);
    return plain ? plainProblems(plain, inner, [...path, key]) : [];
  });
}

/** The schema of what is under a key, if it must be plain: a marked property, or an entry of a map, which is a resource. */
function plainPartOf(schema: z.core.$ZodType, key: string): z.core.$ZodType | undefined {
  const { properties = {}, values, isMap, same = [] } = structureOf(schema);
  if (isMap) return values;
  const inside = Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (inside) return z.globalRegistry.get(inside)?.["plain"] ? inside : undefined;
  return same.map((inner) => plainPartOf(inner, key)).find(Boolean);
}

function present(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
}
