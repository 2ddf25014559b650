import { z } from "zod";
import { commonShape } from "./common";

const digits = z.string().regex(/^\d+$/, "must be a whole number, as a string");
const identifier = z.string().regex(/^\w+$/, "must be a name of letters, digits and underscores");

export const refreshSchema = z.strictObject({
  command_type: z.literal("HiveCommand").optional(),
  template: z.literal("s3import"),
  db_name: identifier,
  hive_table: identifier,
  loader_stable: digits.optional(),
  loader_stable_mult: digits.optional().describe("Minutes"),
  ...commonShape,
});

export type RefreshParams = z.infer<typeof refreshSchema>;

export function refreshCommand(params: RefreshParams): Record<string, unknown> {
  const table = `${params.db_name}.${params.hive_table}`;
  return {
    sample: false,
    approx_aggregations: false,
    approx_mode: false,
    md_cmd: null,
    query: `alter table ${table} recover partitions`,
    loader_table_name: table,
    retry: 0,
    script_location: null,
    loader_stable: Number(params.loader_stable ?? 0),
  };
}
