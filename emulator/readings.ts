import { z } from "zod";
import { extendedReadings } from "./extended/readings";
import { type Reading, specifiedReadings } from "./readings-catalogue";

export type { Reading } from "./readings-catalogue";

export const catalogue = { ...specifiedReadings, ...extendedReadings };

type Catalogue = typeof catalogue;
export type ReadingName = keyof Catalogue;

/** The value of every reading. */
export type Readings = {
  readonly [N in ReadingName]: Catalogue[N] extends { values: infer V } ? keyof V & string : number;
};

export const readingNames = Object.keys(catalogue) as ReadingName[];

export const defaultReadings = Object.fromEntries(
  readingNames.map((name) => [name, catalogue[name].default]),
) as unknown as Readings;

const schemaOf = (reading: Reading): z.ZodType =>
  reading.values ? z.enum(Object.keys(reading.values)) : z.int().min(0);

export const readingsSchema = z
  .strictObject(Object.fromEntries(readingNames.map((name) => [name, schemaOf(catalogue[name])])))
  .partial() as unknown as z.ZodType<Partial<Readings>>;

/** Parses `name=value` from the command line. */
export function parseReading(text: string): Partial<Readings> {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const reading: Reading | undefined = Object.hasOwn(catalogue, name) ? catalogue[name as ReadingName] : undefined;
  if (!reading)
    throw new Error(`--reading ${text}: use name=value, where name is one of ${[...readingNames].sort().join(", ")}`);
  const result = schemaOf(reading).safeParse(reading.values || !/^\d+$/.test(value) ? value : Number(value));
  if (!result.success)
    throw new Error(
      `--reading ${text}: ${name} is ${reading.values ? `one of ${Object.keys(reading.values).join(", ")}` : "a whole number"}`,
    );
  return { [name]: result.data };
}

/** The readings in effect. */
export class ReadingSwitches {
  readonly #atStart: Readings;
  values: Readings;

  constructor(given: Partial<Readings> = {}) {
    this.#atStart = merge(defaultReadings, given);
    this.values = this.#atStart;
  }

  /** Changes only the given readings. */
  set(given: Partial<Readings>): void {
    this.values = merge(this.values, given);
  }

  /** Restores the readings that the emulator was started with. */
  reset(): void {
    this.values = this.#atStart;
  }
}

function merge(readings: Readings, given: Partial<Readings>): Readings {
  const result = readingsSchema.safeParse(given);
  if (!result.success) throw new Error(`the readings are not valid:\n${z.prettifyError(result.error)}`);
  const present = Object.entries(result.data).filter(([, value]) => value !== undefined);
  return { ...readings, ...Object.fromEntries(present) };
}
