import { z } from "zod";
import { Client } from "../api/client";
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
  return (token === undefined ? api : clientOf(api, token)).call(operations.viewAccount, { answer: View });
}

/** A client for the token of another account. */
export function clientOf(api: Client, token: string): Client {
  const clients = api.shared(makeClients);
  const known = clients.get(token);
  if (known) return known;
  // Each account gets only a few requests, so one connection is enough.
  const client = new Client({ ...api.settings, apiToken: token, connections: 1 });
  clients.set(token, client);
  return client;
}

const makeClients = (): Map<string, Client> => new Map();
