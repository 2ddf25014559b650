import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { listUsers, toUser, userShape } from "../platform/users";

export const getPendingUsers = defineFunction({
  name: "getPendingUsers",
  doc: `The users of the account that await approval.

What the platform shows of each is taken as it comes: \`EnabledUser\` takes the \`id\` or the \`email\`.`,
  inputs: z.object({}),
  outputs: z.object({ users: z.array(userShape).describe("The users, in the platform's order.") }),
  secrets: [],
  effect: "reads",
  async run({ api }) {
    const { users } = await listUsers(api, operations.listPendingUsers);
    return { users: users.map(toUser) };
  },
});
