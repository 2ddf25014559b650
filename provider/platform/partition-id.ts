import type { PlatformError } from "../api/errors";
import { wrongId } from "../core/define";
import { type PartitionColumn, type Partitions, valueList } from "./sensors";

/** `sales.orders/dt=2026-01-01,2026-01-02;region=eu`: the same id for equivalent inputs. */
export function partitionId({ schema, table, columns }: Partitions): string {
  return `${encoded(schema)}.${encoded(table)}/${canonical(columns)}`;
}

export function sameColumns(a: readonly PartitionColumn[], b: readonly PartitionColumn[]): boolean {
  return canonical(a) === canonical(b);
}

function canonical(columns: readonly PartitionColumn[] = []): string {
  return columns
    .map(({ column, values }) => `${encoded(column)}=${listed([...new Set(valueList(values))].sort())}`)
    .sort()
    .join(";");
}

/** A comma alone is one empty value; nothing is no value. */
function listed(values: readonly string[]): string {
  return values.length === 1 && values[0] === "" ? "," : values.map(encoded).join(",");
}

/** Encodes the separators of an id, and keeps the rest readable. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(".", "%2E").replaceAll("%3A", ":").replaceAll("%20", "+");
}

function decoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", "%20"));
}

export function parsePartitionId(id: string) {
  try {
    const [, schema, table, columns] = /^([^./]+)\.([^./]+)\/(.*)$/.exec(id) ?? [];
    if (!schema || !table || columns === undefined) throw malformed(id);
    return {
      schema: decoded(schema),
      table: decoded(table),
      ...(columns !== "" && { columns: columns.split(";").map((part) => column(part, id)) }),
    };
  } catch {
    // A stray "%" makes the id malformed too.
    throw malformed(id);
  }
}

function column(part: string, id: string): PartitionColumn {
  const [, name, values] = /^([^=]+)=(.*)$/.exec(part) ?? [];
  if (!name || values === undefined) throw malformed(id);
  return { column: decoded(name), values: values === "" ? [] : [...new Set(values.split(",").map(decoded))] };
}

function malformed(id: string): PlatformError {
  const expected = "<schema>.<table>/<column>=<value>,<value>;<column>=<value>";
  return wrongId(id, "a partition sensor id", `${expected}, URL-encoded where a part contains one of ". / = , ;"`);
}
