import { z } from "zod";
import { defineFunction } from "../core/define-function";
import { listEmails } from "../platform/users";

export const getUserEmails = defineFunction({
  name: "getUserEmails",
  doc: `Returns the e-mail addresses of the account's users.

Only the addresses are returned; anything else in the platform's response, such as tokens, is dropped.`,
  inputs: z.object({}),
  outputs: z.object({ emails: z.array(z.string()).describe("E-mail addresses, in the platform's order.") }),
  effect: "reads",
  run: async ({ api, log }) => ({ emails: [...(await listEmails(api)).told(log)] }),
});
