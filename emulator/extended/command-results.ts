import { z } from "zod";
import { viewCommand } from "../commands/view";
import { withoutFinalSlashes } from "../expressions";
import type { CommandRecord } from "../records";
import type { Context } from "../router";
import { resultsOf } from "./command-view";

export const resultParams = z.strictObject({
  raw: z.boolean().default(false).describe("Keeps ^A between the columns"),
  include_headers: z.boolean().default(false),
  inline: z.boolean().default(true).describe("Whether small results may be in the answer"),
});

/** Larger results are only in the account's storage. */
const inlineLimit = 20 * 1024 * 1024;
/** Hive results with fewer rows have tabs even when raw ones are requested. */
const rawRowsOfHive = 1000;

/** The results of a command that is done: in the answer, or where they are stored. */
export function viewResults(
  { account, clock, readings }: Context,
  command: CommandRecord,
  { raw, include_headers, inline }: Partial<z.infer<typeof resultParams>>,
): object {
  const { rows, columns } = resultsOf(command);
  const separator = raw && (command.command_type !== "HiveCommand" || rows.length >= rawRowsOfHive) ? "\u0001" : "\t";
  const headers = include_headers ? [columns.map(({ name }) => name)] : [];
  const results = [...headers, ...rows].map((row) => row.join(separator)).join("\r\n");
  if (inline !== false && readings.commandResults === "inline" && Buffer.byteLength(results) < inlineLimit)
    return { inline: true, results };
  const { path } = viewCommand(command, account.id, clock.now());
  return { inline: false, result_location: [`${withoutFinalSlashes(account.storage_location)}${path}.dir/000`] };
}
