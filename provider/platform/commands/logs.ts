import { z } from "zod";
import { rawText } from "../../api/answer";
import type { Client } from "../../api/client";
import { extendedOperations } from "../../api/extended-operations";
import type { Context } from "../../core/define";
import type { Id } from "../../values/id";
import { attempt } from "../lacking";

const errorLog = z.object({ error_log: z.string().nullish() }).transform(({ error_log: text }) => text ?? "");

/** Everything that the command wrote. */
export function readLog(api: Client, id: Id): Promise<string> {
  return api.call(extendedOperations.commandLog, { path: { id }, answer: rawText });
}

/** Only the errors: empty for a command that has not failed. */
export function readErrorLog(api: Client, id: Id): Promise<string> {
  return api.call(extendedOperations.commandErrorLog, { path: { id }, answer: errorLog });
}

const longestEnd = { lines: 20, characters: 2000 };
/** The user waits for an error: its log must not keep them much longer. */
const readingLimitMs = 15_000;

/** The end of a failed command's log. Undefined if there is none to be had: what failed is reported without it. */
export async function endOfLog(context: Context, id: Id): Promise<string | undefined> {
  const api = context.api.withSignal(AbortSignal.timeout(readingLimitMs));
  const reads = [
    [extendedOperations.commandErrorLog, () => readErrorLog(api, id)],
    [extendedOperations.commandLog, () => readLog(api, id)],
  ] as const;
  for (const [operation, read] of reads) {
    const text = await attempt(context, operation, read).catch(() => undefined);
    const end = lastPart(text ?? "");
    if (end !== "") return end;
  }
  return undefined;
}

function lastPart(text: string): string {
  const end = lastLines(text.trimEnd(), longestEnd.lines);
  return end.length > longestEnd.characters ? `…${end.slice(-longestEnd.characters)}` : end;
}

export function lastLines(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/);
  return lines.slice(Math.max(0, lines.length - count)).join("");
}
