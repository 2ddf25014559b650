import { refName, type Shape } from "../../tools/generate/model";

type Values = Readonly<Record<string, unknown>>;

const candidates: Readonly<Record<string, unknown>> = {
  string: "no such value",
  number: 10,
  boolean: true,
  array: [[[]]],
  object: { noSuchProperty: 1 },
};

/** Copies of a good value, each wrong in one place: of another type, or without something that is required. */
export function wrongValues(value: unknown, shape: Shape, types: ReadonlyMap<string, Shape>): unknown[] {
  const shapes = alternatives(shape, types);
  const accepted = shapes.flatMap(kindsOf);
  if (accepted.includes("any")) return [];
  const others = Object.entries(candidates).filter(([kind]) => !accepted.includes(kind));
  const [inside, ...ambiguous] = shapes.filter((one) => kindsOf(one).includes(kindOf(value)));
  const deeper = inside && ambiguous.length === 0 ? wrongInside(value, inside, types) : [];
  return [...others.map(([, wrong]) => wrong), ...deeper];
}

function wrongInside(value: unknown, { items, properties, required = [] }: Shape, types: ReadonlyMap<string, Shape>) {
  if (Array.isArray(value))
    return value.length > 0 && items
      ? wrongValues(value[0], items, types).map((wrong) => [wrong, ...value.slice(1)])
      : [];
  if (!properties || typeof value !== "object") return [];
  const given = value as Values;
  const without = required.map((name) => Object.fromEntries(Object.entries(given).filter(([key]) => key !== name)));
  const wrong = Object.entries(properties).flatMap(([name, shape]) =>
    wrongValues(given[name], shape, types).map((one) => ({ ...given, [name]: one })),
  );
  return [...without, ...wrong];
}

function alternatives(shape: Shape, types: ReadonlyMap<string, Shape>): readonly Shape[] {
  if (shape.$ref) return alternatives(types.get(refName(shape.$ref))!, types);
  const among = shape.anyOf ?? shape.oneOf;
  return among ? among.flatMap((one) => alternatives(one, types)) : [shape];
}

/** What a shape accepts. Only some texts, or only some properties, is not all of the kind. */
function kindsOf({ type, enum: values, const: only, properties }: Shape): string[] {
  if (values || only !== undefined) return ["some text"];
  if (type === undefined) return ["any"];
  const kinds = typeof type === "string" ? [type] : type;
  return kinds.map((kind) => (kind === "integer" ? "number" : kind === "object" && properties ? "some object" : kind));
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "some object" : typeof value;
}
