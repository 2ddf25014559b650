import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { listUsers, toUser, userShape } from "../platform/users";

export const getPendingUsers = defineFunction({
  name: "getPendingUsers",
  doc: `Returns the users of the account who are awaiting approval.

It needs the group \`system-admin\`, or a role that allows viewing an account's details. Which properties are set depends on the platform. To enable a user, pass the \`id\` or the \`email\` to \`EnabledUser\`.`,
  inputs: z.object({}),
  outputs: z.object({ users: z.array(userShape).describe("Users, in the platform's order.") }),
  effect: "reads",
  run: async ({ api, log }) => ({
    users: (await listUsers(api, operations.listPendingUsers)).told(log).map(toUser),
  }),
});
