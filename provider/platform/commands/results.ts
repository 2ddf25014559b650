import { z } from "zod";
import { rawText } from "../../api/answer";
import type { Client } from "../../api/client";
import { isPlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import type { Context } from "../../core/define";
import type { Id } from "../../values/id";
import { attempt, required } from "../lacking";
import { watchOf } from "./history";
import { hasEnded, hasSucceeded } from "./record";

const { commandLog, commandErrorLog, commandResults } = extendedOperations;
const errorLog = z.object({ error_log: z.string().nullish() }).transform(({ error_log: text }) => text ?? "");

/** Everything that the command wrote; or only the errors, which are empty for a command that has not failed. */
export function readLog(api: Client, id: Id, log: typeof commandLog | typeof commandErrorLog): Promise<string> {
  return api.call(log, { path: { id }, answer: log === commandLog ? rawText : errorLog });
}

const longestEnd = { lines: 20, characters: 2000 };
/** The user waits for an error: its log must not keep them much longer. */
const readingLimitMs = 15_000;

/** The end of a failed command's log. Undefined if there is none to be had: what failed is reported without it. */
export async function endOfLog(context: Context, id: Id): Promise<string | undefined> {
  const api = context.api.withSignal(AbortSignal.timeout(readingLimitMs));
  for (const log of [commandErrorLog, commandLog]) {
    const text = await attempt(context, log, () => readLog(api, id, log)).catch(() => undefined);
    const end = lastLines((text ?? "").trimEnd(), longestEnd.lines);
    if (end !== "") return end.length > longestEnd.characters ? `…${end.slice(-longestEnd.characters)}` : end;
  }
  return undefined;
}

export function lastLines(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(Math.max(0, lines.length - count)).join("");
}

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
  const read = () => context.api.call(commandResults, { path: { id }, query, answer });
  const found = await required(commandResults, read, `command ${id}`).catch(async (error: unknown) => {
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
