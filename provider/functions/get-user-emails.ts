import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { emailList } from "../platform/users";

export const getUserEmails = defineFunction({
  name: "getUserEmails",
  doc: `Returns the e-mail addresses of the account's users.

Only the addresses are returned; anything else in the platform's response, such as tokens, is dropped.`,
  inputs: z.object({}),
  outputs: z.object({ emails: z.array(z.string()).describe("E-mail addresses, in the platform's order.") }),
  effect: "reads",
  run: async ({ api }) => ({ emails: await api.call(operations.listUserEmails, { answer: emailList }) }),
});
