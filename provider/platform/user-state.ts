import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { leavesOutcomeOpen } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { isRefusal, isSoAfterAll, saysItIsSo } from "../api/meaning";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { actOn } from "./lacking";
import { findUser, type KnownUser, usersOf } from "./users";

/** By id or e-mail address. `again`: in a new list, for what the last one was too early to show. */
export async function lookForUser(
  { api }: Context,
  user: string,
  when: "fresh" | "again" = "fresh",
): Promise<KnownUser | "gone" | "unknown"> {
  const list = await usersOf(api)[when]();
  return findUser(list, user) ?? (list.isComplete ? "gone" : "unknown");
}

export function enableUser(context: Context, user: string): Promise<unknown> {
  const { api } = context;
  return unlessSo(context, user, "enable", () => send(api, operations.enableUser, user));
}

export function disableUser(context: Context, user: string): Promise<"done" | "gone" | "lacking"> {
  const { disableUser: operation } = extendedOperations;
  const change = () => send(context.api, operation, user);
  const look = () => lookForUser(context, user, "again");
  return unlessSo(context, user, "disable", () => actOn(context, operation, change, look));
}

type Change = typeof operations.enableUser | typeof extendedOperations.disableUser;

function send(api: Client, operation: Change, user: string): Promise<unknown> {
  return api.call<string, unknown>(operation, { body: { svc_user_id: user }, answer: anyAnswer });
}

/** A platform may refuse what is so already, in its own words. The list shows it too, and what a lost response has done. */
async function unlessSo<T>(
  context: Context,
  user: string,
  wanted: "enable" | "disable",
  change: () => Promise<T>,
): Promise<T | "done"> {
  try {
    return await change();
  } catch (error) {
    if (saysItIsSo(error, wanted)) return "done";
    if (!leavesOutcomeOpen(error) && !isRefusal(error)) throw error;
    const found = await lookForUser(context, user, "again").catch(() => undefined);
    // Unless the list says who is enabled, being listed proves nothing.
    const isDisabled = typeof found === "object" ? found.isDisabled : undefined;
    const isSo = isDisabled === undefined ? isSoAfterAll(error, wanted) : isDisabled === (wanted === "disable");
    if (isSo) return "done";
    throw error;
  } finally {
    usersOf(context.api).written();
  }
}
