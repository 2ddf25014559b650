import { z } from "zod";
import type { Client } from "../api/client";
import { PlatformError } from "../api/errors";
import { operations } from "../api/operations";
import { SharedRead } from "../api/shared-read";
import { defineResource } from "../core/define";
import { listOf } from "../functions/users";

const allowed = 'the id of a user such as "107", or an e-mail address such as "ana@example.com"';

/** Only what is needed: an entry may carry the user's token, which must not get further than the parser. */
const User = z.object({
  id: z.union([z.int(), z.string()]),
  user_id: z.union([z.int(), z.string()]).optional(),
  email: z.string(),
  disabled: z.boolean().optional(),
});
type User = z.output<typeof User>;
/** The token belongs to a user, so a list without any is no answer, and no word that somebody is gone. */
const Users = listOf(User, "users").refine((users) => users.length > 0, "a list of users without a single one");

export const enabledUser = defineResource({
  type: "EnabledUser",
  doc: `A user who may use the account: one who was disabled, or who awaits approval, is enabled.

The API can enable a user and not disable one, so destroying the resource leaves the user enabled.`,
  inputs: z.object({
    svcUserId: z
      .string()
      .refine((text) => isUserId(text), {
        error: ({ input }) => `is ${JSON.stringify(input)}; allowed is ${allowed}`,
      })
      .describe("The user: the `id` that `getUsers` shows, or the e-mail address."),
  }),
  outputs: z.object({
    userId: z.string().optional().describe("Ordinary id of the user, if the token may list users."),
    email: z.string().optional().describe("E-mail address of the user, if the token may list users."),
  }),
  importId: { format: "the user's id or e-mail address", example: "107" },
  replaceOn: "all",
  secrets: [],
  limits: {
    refresh: "Whether the user is listed and not disabled: if not, the next `pulumi up` enables the user again.",
    destroy: "Nothing is removed: the API cannot disable a user. A warning names the user who stays enabled.",
  },
  same: { svcUserId: (a, b) => a.toLowerCase() === b.toLowerCase() },

  async create({ api, log }, { svcUserId }) {
    const users = usersOf(api);
    await api.callOnce(operations.enableUser, {
      body: { svc_user_id: svcUserId },
      answer: z.unknown(), // the document shows no answer
      lookUp: () => {
        users.written();
        return enabled(users, svcUserId);
      },
    });
    users.written();
    try {
      return { id: svcUserId, ...shown(await enabled(users, svcUserId)) };
    } catch (error) {
      // The user is enabled; that the details cannot be read is no reason to fail.
      log.warn(`${svcUserId} is enabled, but userId and email are not known: ${(error as Error).message}`);
      return { id: svcUserId };
    }
  },

  async read({ api }, id) {
    const user = await enabled(usersOf(api), id);
    return user && { svcUserId: id, ...shown(user) };
  },

  fromId(id) {
    if (!isUserId(id))
      throw new PlatformError(`${JSON.stringify(id)} is no id of a user; allowed is ${allowed}`, { code: "rejected" });
    return { svcUserId: id };
  },

  kept: (id, { email }) =>
    `user ${id}${email && email !== id ? ` (${email})` : ""} stays enabled: the API cannot disable a user. Disable the user in the platform's user interface if that is wanted.`,
});

function isUserId(text: string): boolean {
  return /^[1-9]\d*$/.test(text) || /^[^\s@]+@[^\s@]+$/.test(text);
}

const usersOf = (api: Client): SharedRead<User[]> => api.shared(makeUsers);
const makeUsers = (api: Client): SharedRead<User[]> =>
  new SharedRead(() => api.call(operations.listUsers, { answer: Users }));

/** The user, if the platform lists one of that id or e-mail address who is not disabled. */
async function enabled(users: SharedRead<User[]>, idOrEmail: string): Promise<User | undefined> {
  const wanted = idOrEmail.toLowerCase();
  return (await users.fresh()).find(
    ({ id, email, disabled }) => !disabled && (String(id) === wanted || email.toLowerCase() === wanted),
  );
}

function shown(user: User | undefined) {
  return { userId: user?.user_id === undefined ? undefined : String(user.user_id), email: user?.email };
}
