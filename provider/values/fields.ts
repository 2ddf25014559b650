import { z } from "zod";

type Fields = Record<string, unknown>;

/** A text in a response, where a value of another type tells nothing. */
export const shownText = z.string().nullish().catch(undefined);

/** A property's name in the API: dbHost → db_host. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The properties as a request has them, each in the field of its name, or of the other one that the API has for it. */
export function fieldsOf(properties: object, names: readonly string[], otherNames: Fields = {}): Fields {
  const values = new Map<string, unknown>(Object.entries(properties));
  return Object.fromEntries(names.map((name) => [otherNames[name] ?? snakeCase(name), values.get(name)]));
}

/** The properties that a record shows, each in the field of its name. One that is null or empty is not shown. */
export function shownIn(record: object, names: readonly string[]): Fields {
  const fields = new Map(Object.entries(record));
  const shown = names.map((name): [string, unknown] => [name, fields.get(snakeCase(name)) ?? ""]);
  return Object.fromEntries(shown.filter(([, value]) => value !== ""));
}

/**
 * What a record tells about outputs. A value of another type tells nothing: nobody documents what each platform writes
 * into a field. A number may come as text.
 */
export function told<S extends z.ZodRawShape>(outputs: S, record: object): Partial<z.output<z.ZodObject<S>>> {
  const read = Object.entries(shownIn(record, Object.keys(outputs))).flatMap(([name, value]) => {
    const candidates = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? [value, Number(value)] : [value];
    const found = candidates.find((one) => z.safeParse(outputs[name]!, one).success);
    return found === undefined ? [] : [[name, found]];
  });
  return Object.fromEntries(read) as Partial<z.output<z.ZodObject<S>>>;
}
