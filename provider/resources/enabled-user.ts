import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { leavesOutcomeOpen } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { isRefusal, isSoAfterAll, saysItIsSo } from "../api/meaning";
import { operations } from "../api/operations";
import { accountIdOutput, type Context, defineResource, keepIfOpen, wrongId } from "../core/define";
import { actOn } from "../platform/lacking";
import { findUser, type KnownUser, listUsers, usersOf } from "../platform/users";
import { type Id, textId, textIdFormat } from "../values/id";

const expected = 'a user id such as "107", or an e-mail address such as "ana@example.com"';

export const enabledUser = defineResource({
  type: "EnabledUser",
  doc: `A user who may use the account. Creating the resource enables a user who is disabled or awaiting approval.

The specified API can enable a user but not disable one, so destroying the resource leaves the user enabled. With the extended API (\`dataplatform:extendedApi\`), \`onDestroy: "disable"\` disables the user.`,
  inputs: z.object({
    svcUserId: textId
      .refine((id) => !String(id).includes(","), {
        error: ({ input }) => `is ${JSON.stringify(input)}, a list; declare one resource per user`,
      })
      .meta({ format: textIdFormat })
      .describe("The user to enable: the `id` that `getUsers` returns, or the e-mail address."),
    onDestroy: z
      .enum(["keep", "disable"])
      .default("keep")
      .describe(
        "What destroy does with the user: `keep` leaves the user enabled; `disable`, which needs the extended API, disables the user, whose active schedules then fail. Default: keep.",
      ),
  }),
  outputs: z.object({
    userId: z.string().optional().describe("Ordinary user id, as text, if the token may list users."),
    email: z.string().optional().describe("E-mail address of the user, if the token may list users."),
    accountId: accountIdOutput,
  }),
  importId: {
    format: "the user's id or e-mail address",
    example: "107",
    tells(id) {
      if (isUserId(id)) return { svcUserId: id };
      throw wrongId(id, "a user id", expected);
    },
  },
  replaceOn: ["svcUserId"],
  keys: { property: "svcUserId", of: ({ svcUserId }) => (svcUserId === undefined ? [] : [userKey(svcUserId)]) },
  limits: {
    refresh:
      "Whether the user is listed and enabled: if not, the next `pulumi up` enables the user again. If the token may not list users, the state is kept, with a warning.",
    update:
      "A change of `svcUserId` enables another user, and the previous one stays enabled. The e-mail address instead of the id of the same user, or the id instead of the address, sends nothing, if the token may list users.",
    destroy: "Nothing is removed: the API cannot disable a user. A warning names the user, who stays enabled.",
    kept: (id, state) => staysEnabled(id, state, "the API cannot disable a user"),
  },
  // An import records the id, and a program may go on with the address.
  same: { svcUserId: (old, given, { email = old }) => [old, email].map(userKey).includes(userKey(given)) },
  async canChange({ api }, _id, { svcUserId: old }, { svcUserId: given }) {
    const list = await usersOf(api)
      .fresh()
      .catch(() => undefined);
    if (!list || given === undefined) return false;
    const user = findUser(list, old);
    return user !== undefined && user === findUser(list, given);
  },
  advise: ({ svcUserId }) =>
    svcUserId === undefined || isUserId(svcUserId)
      ? []
      : [`svcUserId is ${JSON.stringify(svcUserId)}; expected ${expected}`],

  async create(context, { svcUserId }) {
    const id = String(svcUserId);
    await keepIfOpen(id, {}, () => change(context, id, "enable"));
    try {
      return { id, ...details(await lookForUser(context, id)) };
    } catch (error) {
      // The user is enabled, so do not fail just because the details cannot be read.
      context.log.warn(`user ${id} is enabled, but userId and email could not be read: ${(error as Error).message}`);
      return { id };
    }
  },

  async *list({ api }) {
    const { records } = await listUsers(api, operations.listUsers);
    // By id, because an e-mail address can change.
    for (const { id, email, isDisabled } of records) if (!isDisabled) yield { id: String(id ?? email), name: email };
  },

  async read(context, id, { svcUserId = id }) {
    const user = await lookForUser(context, String(svcUserId));
    if (typeof user === "object") return user.isDisabled ? undefined : { svcUserId, ...details(user) };
    if (user === "gone") return undefined;
    context.log.warn(
      `cannot check user ${svcUserId}: the list of users is incomplete and does not show the user; keeping the state`,
    );
    return {};
  },

  extended: {
    limits: {
      destroy:
        'Disables the user with `onDestroy: "disable"`. Otherwise nothing is removed, and a warning names the user, who stays enabled.',
      kept: (id, state) => (state.onDestroy === "disable" ? "" : staysEnabled(id, state, "onDestroy is keep")),
    },
    onlyWith: ({ onDestroy }) => (onDestroy === "disable" ? ["onDestroy"] : []),
    // The id may be masked, where the program marked the user as a secret.
    delete: (context, id, state) => disableUnlessKept(context, String(state.svcUserId ?? id), state),
  },
});

type Email = Partial<Pick<KnownUser, "email">>;

function staysEnabled(id: string, { email }: Email, why: string): string {
  return `user ${id}${email && email !== id ? ` (${email})` : ""} stays enabled: ${why}. To disable the user, use the platform's user interface.`;
}

/** Another resource of this run may enable the same user, by id or e-mail address. */
async function disableUnlessKept(context: Context, id: string, state: Email): Promise<void> {
  const { log, run } = context;
  const found = await lookForUser(context, id).catch(() => undefined);
  const user = typeof found === "object" ? found : undefined;
  const names = [id, user?.id, user?.email ?? state.email].filter((name) => name !== undefined);
  const keys = names.map(userKey);
  const keeper = run.keeperOf(...keys);
  if (keeper !== undefined) return log.info(`user ${id} stays enabled, because ${keeper} declares the user`);
  if (user?.isDisabled) return;
  if ((await run.removing(keys, () => change(context, id, "disable"))) === "lacking")
    log.warn(staysEnabled(id, state, "this installation cannot disable a user"));
}

function isUserId(id: Id): boolean {
  return /^[1-9]\d*$/.test(String(id)) || /^[^\s@]+@[^\s@]+$/.test(String(id));
}

function userKey(svcUserId: Id): string {
  return `user ${String(svcUserId).toLowerCase()}`;
}

function details(user: KnownUser | string) {
  if (typeof user === "string") return {};
  return { userId: user.userId === undefined ? undefined : String(user.userId), email: user.email };
}

/** By id or e-mail address. `again`: in a new list, for what the last one was too early to show. */
async function lookForUser(
  { api }: Context,
  user: string,
  when: "fresh" | "again" = "fresh",
): Promise<KnownUser | "gone" | "unknown"> {
  const list = await usersOf(api)[when]();
  return findUser(list, user) ?? (list.isComplete ? "gone" : "unknown");
}

/** A platform may refuse what is so already, in its own words. The list shows it too, and what a lost response has done. */
async function change(
  context: Context,
  user: string,
  wanted: "enable" | "disable",
): Promise<"done" | "gone" | "lacking"> {
  const { api } = context;
  const request = { body: { svc_user_id: user }, answer: anyAnswer };
  const look = () => lookForUser(context, user, "again");
  try {
    const { disableUser } = extendedOperations;
    if (wanted === "disable") return await actOn(context, disableUser, () => api.call(disableUser, request), look);
    await api.call(operations.enableUser, request);
    return "done";
  } catch (error) {
    if (saysItIsSo(error, wanted)) return "done";
    if (!leavesOutcomeOpen(error) && !isRefusal(error)) throw error;
    const found = await look().catch(() => undefined);
    // Unless the list says who is enabled, being listed proves nothing.
    const isDisabled = typeof found === "object" ? found.isDisabled : undefined;
    const isSo = isDisabled === undefined ? isSoAfterAll(error, wanted) : isDisabled === (wanted === "disable");
    if (isSo) return "done";
    throw error;
  } finally {
    usersOf(api).written();
  }
}
