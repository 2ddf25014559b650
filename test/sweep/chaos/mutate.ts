import fc from "fast-check";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One way to mutate a valid answer. `at` picks the place. */
interface Mutation {
  readonly kind: "remove" | "replace" | "extra" | "cut" | "other";
  readonly at: number;
  readonly value: Json;
  /** Inserted into the text verbatim: numbers that JSON.stringify would not write. */
  readonly raw: string | undefined;
}

/** Deeper than any recursive function can go. */
export const nested = `${'{"a":['.repeat(20_000)}${"]}".repeat(20_000)}`;

const oddValue = fc.oneof(
  fc.constantFrom<Json>(null, "", "0", "false", "true", true, -1, 0, 0.5, 1e308, Number.MAX_SAFE_INTEGER + 2, [], {}),
  fc.constantFrom<Json>("9".repeat(400), "x".repeat(100_000), "\u0000", "\ud800", "../..", "__proto__"),
  fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>,
);

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("remove", "replace", "replace", "extra", "cut", "other"),
  at: fc.nat(10_000),
  value: oddValue,
  raw: fc.option(fc.constantFrom("1e999", "-1e999", `1${"0".repeat(5000)}`, '{"__proto__":{"id":1}}', nested), {
    nil: undefined,
    freq: 3,
  }),
});

/** Applies the mutation to the answer. */
export function mutate(text: string, { kind, at, value, raw }: Mutation): string {
  if (kind === "cut") return text.slice(0, at % (text.length + 1));
  if (kind === "other") return raw ?? JSON.stringify(value);
  const answer = JSON.parse(text || "{}") as Json;
  const places = placesIn(answer);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return raw ?? JSON.stringify(value);
  const marked = "\u{1F50D}raw\u{1F50D}";
  change(place, kind, raw === undefined ? value : marked);
  return JSON.stringify(answer).replaceAll(JSON.stringify(marked), raw ?? "");
}

interface Place {
  readonly inside: Json[] | { [key: string]: Json };
  readonly key: string | number;
}

function placesIn(value: Json): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => [
    { inside: value, key },
    ...placesIn((value as Record<string | number, Json>)[key] ?? null),
  ]);
}

function change({ inside, key }: Place, kind: Mutation["kind"], value: Json): void {
  const record = inside as Record<string | number, Json>;
  if (kind === "replace") record[key] = value;
  else if (kind === "extra" && !Array.isArray(inside)) record[`surprise ${key}`] = value;
  else if (kind === "remove" && Array.isArray(inside)) inside.splice(Number(key), 1);
  else if (kind === "remove") delete record[key];
}
