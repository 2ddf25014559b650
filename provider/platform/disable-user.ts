import { anyAnswer } from "../api/answer";
import { leavesOutcomeOpen } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { actOn } from "../core/extended";
import { findUser, type KnownUser, usersOf } from "./users";

/** Disables a user, by id or e-mail address. If the response is lost, the list may still show that it worked. */
export async function disableUser(context: Context, user: string): Promise<"done" | "gone" | "lacking"> {
  const { api } = context;
  const { disableUser: operation } = extendedOperations;
  const send = () => api.call(operation, { body: { svc_user_id: user }, answer: anyAnswer });
  try {
    return await actOn(context, operation, send, () => lookForUser(context, user));
  } catch (error) {
    if (!leavesOutcomeOpen(error)) throw error;
    const found = await lookForUser(context, user).catch(() => undefined);
    if (typeof found === "object" && found.isDisabled) return "done";
    throw error;
  } finally {
    usersOf(api).written();
  }
}

async function lookForUser({ api }: Context, user: string): Promise<KnownUser | "gone" | "unknown"> {
  usersOf(api).written();
  const list = await usersOf(api).fresh();
  return findUser(list, user) ?? (list.isComplete ? "gone" : "unknown");
}
