import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { listOf, record, toUser, userShape } from "./users";

export const getPendingUsers = defineFunction({
  name: "getPendingUsers",
  doc: `The users of the account that await approval.

What the platform shows of each is taken as it comes: \`EnabledUser\` takes the \`id\` or the \`email\`.`,
  inputs: z.object({}),
  outputs: z.object({ users: z.array(userShape).describe("The users, in the platform's order.") }),
  secrets: [],
  effect: "reads",
  async run({ api, signal }) {
    const entries = await api.call(operations.listPendingUsers, { answer: listOf(record, "users"), signal });
    return { users: entries.map(toUser) };
  },
});
