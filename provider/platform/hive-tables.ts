import { z } from "zod";
import type { Client } from "../api/client";
import { extendedOperations } from "../api/extended-operations";
import type { Operation } from "../api/operations";
import { shownText } from "../values/fields";
import { pathSegment } from "../values/path-segment";
import { entriesIn, isEmpty } from "./entries";
import { required } from "./lacking";

/** Columns and partitions of a table in the Hive metastore. */

export const tableInputs = {
  schema: pathSegment.optional().describe("Database that holds the table. Default: `default`."),
  table: pathSegment.describe("Hive table."),
};
type Table = z.output<z.ZodObject<typeof tableInputs>>;

const columnRecord = z.looseObject({ name: z.string(), type: z.string(), comment: shownText });

/** Installations differ in the case of these names. */
const partitionRecord = z
  .record(z.string(), z.unknown())
  .transform((record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value])))
  .pipe(z.looseObject({ part_name: z.string(), location: shownText }));

export function readColumns(api: Client, table: Table) {
  return readTable(api, extendedOperations.tableDefinition, table, listOf("columns", columnRecord));
}

export function readPartitions(api: Client, table: Table) {
  return readTable(api, extendedOperations.tablePartitions, table, listOf("partitions", partitionRecord));
}

/** A bare array, or one in an envelope. Every entry must be readable: a table without one of its columns is another table. */
function listOf<T>(name: string, record: z.ZodType<T>): z.ZodType<T[]> {
  const matches = (entry: unknown): boolean => record.safeParse(entry).success;
  const found = (answer: unknown) => entriesIn(answer, name, matches) ?? (isEmpty(answer) ? [] : answer);
  return z.unknown().transform(found).pipe(z.array(record));
}

function readTable<T>(
  api: Client,
  operation: Operation<"/api/v1.2/hive/{schema}/{table}" | "/api/v1.2/hive/{schema}/{table}/partitions">,
  { schema = "default", table }: Table,
  answer: z.ZodType<T>,
): Promise<T> {
  const read = () => api.call(operation, { path: { schema, table }, answer });
  return required(operation, read, `the table ${schema}.${table}`);
}

/** `dt=2024-01-01/hour=05` by column. The metastore percent-encodes special characters; `/` and `=` in values among them. */
export function valuesIn(partition: string): Record<string, string> {
  const parts = partition.split("/").filter((part) => part.includes("="));
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf("=");
      return [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
    }),
  );
}

/** A value may also be spelled as it is, with a percent sign of its own. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
