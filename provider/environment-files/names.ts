import { propertyPath } from "../core/check";
import type { ComponentDefinition } from "../core/define-component";
import { hintFor, namesAt } from "../core/property-names";
import { closest } from "../values/closest";
import type { Mistake } from "./document";

/**
 * Reports names that the schema does not have, and returns the value with the names that were probably meant, so that one
 * typo is one mistake.
 */
export function withKnownNames(
  schema: ComponentDefinition["inputs"],
  value: unknown,
  mistakes: Mistake[],
  path: readonly (string | number)[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => withKnownNames(schema, item, mistakes, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  const known = namesAt(schema, path);
  const given = Object.keys(value);
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const isKnown = known.length === 0 || known.includes(name);
    const inside = [...path, name];
    if (!isKnown)
      mistakes.push({ at: inside, text: `${propertyPath(inside)} is not a known property; ${hintFor(name, known)}` });
    const meant = isKnown ? name : closest(name, known);
    if (meant === undefined || (meant !== name && given.includes(meant))) continue;
    result[meant] = withKnownNames(schema, inner, mistakes, [...path, meant]);
  }
  return result;
}
