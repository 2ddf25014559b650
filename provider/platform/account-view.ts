import { z } from "zod";
import { Client } from "../api/client";
import { operations } from "../api/operations";

/** The view of an account, as far as it is of use. It shows credentials too: those are not read. */
const View = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  name: z.string().nullish(),
  storage_type: z.string().nullish(),
  compute_type: z.string().nullish(),
  idle_session_timeout: z.int().nullish().catch(undefined),
});
export type AccountView = z.output<typeof View>;

/** The API shows only the account that a token belongs to: with no token given, the configured one. */
export function viewAccount(api: Client, token: string | undefined): Promise<AccountView> {
  return (token === undefined ? api : clientOf(api, token)).call(operations.viewAccount, { answer: View });
}

function clientOf(api: Client, token: string): Client {
  const clients = api.shared(makeClients);
  const known = clients.get(token);
  if (known) return known;
  // Few requests go to any one account: a pool of its own needs no more than one connection.
  const made = new Client({ ...api.settings, apiToken: token, connections: 1 });
  clients.set(token, made);
  return made;
}

const makeClients = (): Map<string, Client> => new Map();
