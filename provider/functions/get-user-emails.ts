import { z } from "zod";
import { operations } from "../api/operations";
import { defineFunction } from "../core/define-function";
import { listOf, record } from "./users";

const entry = z.union([z.string(), record]);

export const getUserEmails = defineFunction({
  name: "getUserEmails",
  doc: `The e-mail addresses of the account's users.

Only the addresses are given back: whatever else the platform shows beside them, tokens for example, is left out.`,
  inputs: z.object({}),
  outputs: z.object({ emails: z.array(z.string()).describe("The addresses, in the platform's order.") }),
  secrets: [],
  effect: "reads",
  async run({ api, signal }) {
    const entries = await api.call(operations.listUserEmails, { answer: listOf(entry, "emails"), signal });
    return { emails: entries.flatMap((one) => (typeof one === "string" ? one : (one.email ?? []))) };
  },
});
