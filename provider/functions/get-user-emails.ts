import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { emailList } from "../platform/users";

export const getUserEmails = defineFunction({
  name: "getUserEmails",
  doc: `The e-mail addresses of the account's users.

Only the addresses are given back: whatever else the platform shows beside them, tokens for example, is left out.`,
  inputs: z.object({}),
  outputs: z.object({ emails: z.array(z.string()).describe("The addresses, in the platform's order.") }),
  secrets: [],
  effect: "reads",
  run: async ({ api }) => ({ emails: await api.call(operations.listUserEmails, { answer: emailList }) }),
});
