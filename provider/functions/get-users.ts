import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { type ListedUser, listUsers, toUser, userShape } from "../platform/users";
import { flag, secret } from "../values/simple";

export const getUsers = defineFunction({
  name: "getUsers",
  doc: `Returns the users of the account.

The platform returns at least the two ids and the e-mail address of each user; other properties depend on the platform.`,
  inputs: z.object({
    includeTokens: flag.describe(
      "Also return the authentication tokens that some installations show to administrators. This makes the result a secret. Default: false.",
    ),
  }),
  outputs: z.object({
    users: z.array(userShape).describe("Users, in the platform's order."),
    authenticationTokens: z
      .record(z.string(), z.string())
      .optional()
      .meta(secret)
      .describe("Authentication tokens by the `id` of their user, with `includeTokens`."),
  }),
  effect: "reads",
  async run({ api, log }, { includeTokens }) {
    const records = (await listUsers(api, operations.listUsers)).told(log);
    return {
      users: records.map(toUser),
      authenticationTokens: includeTokens ? tokensById(records) : undefined,
    };
  },
});

function tokensById(users: readonly ListedUser[]): Record<string, string> {
  return Object.fromEntries(
    users.flatMap(({ id, email, token }): [string, string][] =>
      token === undefined ? [] : [[String(id ?? email), token]],
    ),
  );
}
