import { z } from "zod";
import { isPlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import type { Context } from "../../core/define";
import type { Id } from "../../values/id";
import { required } from "../lacking";
import { hasEnded, hasSucceeded } from "./record";
import { watchOf } from "./watch";

const flag = z.union([z.boolean(), z.stringbool()]).nullish().catch(undefined);
const locations = z
  .union([z.array(z.string()), z.string().transform((one) => [one])])
  .nullish()
  .catch(undefined);

/** Text, or rows that somebody has split already. */
const results = z
  .union([
    z.string(),
    z
      .array(z.union([z.string(), z.array(z.unknown()).transform((columns) => columns.join("\t"))]))
      .transform((rows) => rows.join("\r\n")),
  ])
  .nullish();

/** In the response itself, or where they are stored. */
const answer = z
  .object({ inline: flag, results, result_location: locations })
  .refine(({ results, result_location: stored }) => results !== undefined || stored !== undefined, {
    error: "expected results or result_location",
  });

type Query = Readonly<Partial<Record<"raw" | "includeHeaders" | "inline", boolean | undefined>>>;

export async function readResults(context: Context, id: Id, { raw, includeHeaders = false, inline }: Query) {
  // The default of include_headers is not documented.
  const query = { raw, include_headers: includeHeaders, inline };
  const operation = extendedOperations.commandResults;
  const read = () => context.api.call(operation, { path: { id }, query, answer });
  const found = await required(operation, read, `command ${id}`).catch(async (error: unknown) => {
    throw await whileUnfinished(context, id, error);
  });
  const isInline = found.inline ?? typeof found.results === "string";
  if (!isInline) return { inline: false, locations: found.result_location ?? [] };
  const results = found.results ?? "";
  return { inline: true, results, rows: rowsIn(results, raw ?? false) };
}

/** The platform answers 422 as long as there are no results. */
async function whileUnfinished(context: Context, id: Id, error: unknown): Promise<unknown> {
  if (!isPlatformError(error, "rejected") || error.status !== 422) return error;
  const command = await watchOf(context, id, undefined)().catch(() => undefined);
  if (!command || hasSucceeded(command)) return error;
  return error.with(
    hasEnded(command)
      ? `command ${id} has no results: it ended with status ${command.status}; see its log (getCommandLog)`
      : `command ${id} has no results yet: its status is ${command.status}; wait until it is done, for example with the wait of a Command, and call this again`,
  );
}

const controlA = "\u0001";

/**
 * Rows end with CR LF or LF, columns are separated by tabs, or by ^A in raw results. What separates is decided for the
 * whole text, so that the other characters may be part of a value.
 */
export function rowsIn(text: string, isRaw: boolean): string[][] {
  if (text === "") return [];
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const usesControlA = text.includes(controlA) && (isRaw || !text.includes("\t"));
  const lines = text.split(end);
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => line.split(usesControlA ? controlA : "\t"));
}
