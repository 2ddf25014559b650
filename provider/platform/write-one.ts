import type { Client } from "../api/client";
import type { Operation } from "../api/operations";
import type { Context } from "../core/define";
import { actOn } from "../core/extended";
import type { Id } from "../values/id";

/** What an account has several of, such as roles. */
export interface Kind {
  readonly lookFor: (context: Context, id: Id) => Promise<object | "gone" | "unknown">;
  /** The lists that show them, and are stale after a write. */
  readonly lists: readonly ((api: Client) => { written(): void })[];
}

export type Written = Awaited<ReturnType<typeof actOn>>;

/** Edits or deletes one of them. */
export async function writeOne(
  context: Context,
  { lookFor, lists }: Kind,
  id: Id,
  operation: Operation,
  send: () => Promise<unknown>,
): Promise<Written> {
  try {
    return await actOn(context, operation, send, () => lookFor(context, id));
  } finally {
    for (const listOf of lists) listOf(context.api).written();
  }
}
