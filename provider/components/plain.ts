import type { CheckFailure } from "../core/check";
import { unknownValue } from "../core/engine-values";
import type { Properties } from "../core/properties";
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
export function plainProblems(inputs: Properties): CheckFailure[] {
  const places = Object.entries(inputs).flatMap(([part, given]): [string, unknown][] => [
    [part, given],
    ...(isByName(part) ? entriesOf(given).flatMap((entry) => placesIn(part, entry)) : []),
  ]);
  return places.filter(([, value]) => value === unknownValue).map(([property]) => ({ property, reason: mustBePlain }));
}

function isByName(part: string): boolean {
  return !["account", "whitelist", "inNewAccount"].includes(part);
}

const plainProperties: Readonly<Record<string, readonly string[]>> = { groups: ["roles"], jobs: ["after", "waitFor"] };

function placesIn(part: string, [name, given]: [string, unknown]): [string, unknown][] {
  const inside = entriesOf(given).filter(([key]) => plainProperties[part]?.includes(key));
  return [
    [`${part}.${name}`, given],
    ...inside.map(([key, value]): [string, unknown] => [`${part}.${name}.${key}`, value]),
  ];
}

function entriesOf(value: unknown): [string, unknown][] {
  return isFields(value) ? Object.entries(value) : [];
}

function present(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
}
