import type { z } from "zod";

/** What to write instead of an unknown name: the one that was probably meant, or all of them. */
export function hintFor(name: string, allowed: readonly string[]): string {
  const close = closest(name, allowed);
  return close ? `did you mean ${close}?` : `expected one of ${allowed.join(", ")}`;
}

/** The name that was probably meant, if one is close enough. */
export function closest(name: string, allowed: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[_-]/g, "");
  const most = Math.max(1, Math.floor(name.length / 4));
  const ranked = allowed
    .map((candidate) => ({ candidate, distance: editDistance(plain(name), plain(candidate)) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= most ? best.candidate : undefined;
}

/** How many letters must be added, dropped, changed, or swapped with their neighbour to turn one word into the other. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : changed;
      next.push(Math.min(changed, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
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
