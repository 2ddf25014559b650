import { z } from "zod";
import type { Client } from "../api/client";
import { operations } from "../api/operations";

/** Only what the provider uses. The response also contains credentials, which are not parsed. */
const View = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  name: z.string().nullish(),
  storage_type: z.string().nullish(),
  compute_type: z.string().nullish(),
  idle_session_timeout: z.int().nullish().catch(undefined),
});
export type AccountView = z.output<typeof View>;

/** The API shows a token only its own account. Default: the configured token. */
export function viewAccount(api: Client, token: string | undefined): Promise<AccountView> {
  return (token === undefined ? api : api.forToken(token)).call(operations.viewAccount, { answer: View });
}
