import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { listUsers, tokensById, toUser, userShape } from "../platform/users";

export const getUsers = defineFunction({
  name: "getUsers",
  doc: `The users of the account.

The platform shows at least the two ids and the e-mail address of each user; everything else is there when the platform shows it.`,
  inputs: z.object({
    includeTokens: z
      .boolean()
      .optional()
      .describe(
        "Also return the authentication tokens that some installations show to administrators. The result is then a secret. Default: false.",
      ),
  }),
  outputs: z.object({
    users: z.array(userShape).describe("The users, in the platform's order."),
    authenticationTokens: z
      .record(z.string(), z.string())
      .optional()
      .describe("With `includeTokens`: the tokens that the platform shows, by the `id` of their user."),
  }),
  secrets: ["authenticationTokens"],
  effect: "reads",
  async run({ api }, { includeTokens }) {
    const { users } = await listUsers(api, operations.listUsers);
    return {
      users: users.map(toUser),
      authenticationTokens: includeTokens ? tokensById(users) : undefined,
    };
  },
});
