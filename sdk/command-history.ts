import type * as pulumi from "@pulumi/pulumi";
import { type GetCommandHistoryArgs, getCommandHistory } from "./functions/get-command-history";
import type * as types from "./types";

/** The arguments of `commandHistory`: those of `getCommandHistory`; without `limit` it reads to the end. */
export type CommandHistoryArgs = Omit<GetCommandHistoryArgs, "page">;

const largestPage = 100;

/**
 * The commands that were submitted, in the platform's order, read page by page as they are asked for.
 *
 * ```typescript
 * for await (const command of dataplatform.commandHistory({ startDate: new Date("2026-01-01") })) {
 *   if (command.status === "error") console.log(command.id, command.logsResource);
 * }
 * ```
 */
export async function* commandHistory(
  { limit = Number.POSITIVE_INFINITY, ...args }: CommandHistoryArgs = {},
  opts?: pulumi.InvokeOptions,
): AsyncGenerator<types.HistoryCommand, void, undefined> {
  // A command submitted meanwhile shifts the others: one seen on a page may be on the next page again.
  const seen = new Set<string>();
  const size = Math.min(limit, largestPage);
  for (let page: number | undefined = 1; page !== undefined; ) {
    const found: Awaited<ReturnType<typeof getCommandHistory>> = await getCommandHistory(
      { ...args, page, limit: size },
      opts,
    );
    for (const command of found.commands) {
      if (seen.has(command.id)) continue;
      if (seen.size >= limit) return;
      seen.add(command.id);
      yield command;
    }
    page = seen.size < limit ? found.nextPage : undefined;
  }
}
