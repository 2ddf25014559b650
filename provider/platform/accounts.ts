import { z } from "zod";
import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError, outcomeUnknown } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf } from "../api/installation";
import { isLacking, isNotFound } from "../api/meaning";
import { operations } from "../api/operations";
import { CannotChange, type Context, keepIfOpen, PartialSuccess } from "../core/define";
import { importAdvice } from "../core/urn";
import { fieldsOf, shownText, told } from "../values/fields";
import { answeredId } from "../values/id";
import { persistently } from "./lacking";
import { lookUntil } from "./listing";
import { withTakenName } from "./names";

/** Accounts. The API shows, and edits, only the account of the token, so each one is asked about with its own. */

type Version = "v1.2" | "v2";

const inVersion = {
  v2: { create: operations.createAccountV2, edit: extendedOperations.editAccountV2, otherNames: {} },
  "v1.2": {
    create: operations.createAccountV1,
    edit: extendedOperations.editAccountV1,
    otherNames: { storageAccessKey: "acc_key", storageSecretKey: "secret" },
  },
} as const;

/** Only what the provider uses. The response also contains credentials, which are not parsed. */
const View = z.object({
  id: z.union([z.number(), z.string()]).transform(String),
  name: z.string().nullish(),
  storage_type: z.string().nullish(),
  compute_type: z.string().nullish(),
  idle_session_timeout: z.int().nullish().catch(undefined),
});
type AccountView = z.output<typeof View>;

/** Default: the account of the configured token. */
export function viewAccount(api: Client, token: string | undefined): Promise<AccountView> {
  return (token === undefined ? api : api.forToken(token)).call(operations.viewAccount, { answer: View });
}

/** Undefined, after a warning, if no token shows it. That does not mean that it is gone: its token may have been renewed. */
export async function viewIfShown(
  { api, log }: Context,
  id: string,
  token: string | undefined,
): Promise<AccountView | undefined> {
  try {
    const view = await viewAccount(api, token);
    if (view.id === id || (id === unknownId && token !== undefined)) return view;
    log.warn(
      `cannot check account ${id}: ${token === undefined ? "its token is unknown, and the configured token" : "the token in the state"} belongs to account ${view.id}. Its state is kept unchanged.`,
    );
  } catch (error) {
    if (!isPlatformError(error, "unauthorized", "forbidden", "not-found")) throw error;
    log.warn(
      `cannot view account ${id} with its own token (${error.status}): the account may be closed, or its token renewed. Its state is kept unchanged.`,
    );
  }
  return undefined;
}

/**
 * The response to a create, bare or under `account`. The account exists by now, so only the essential is required: its id,
 * or its token, which can look up the id.
 */
const Result = z
  .looseObject({
    account_id: answeredId,
    id: answeredId,
    authentication_token: shownText,
  })
  .refine(
    ({ account_id, id, authentication_token: token }) => (account_id ?? id) !== undefined || token,
    "expected account_id or authentication_token, found neither",
  );
const Created = z.union([Result, z.object({ account: Result }).transform(({ account }) => account)]);

/** Placeholder id until the account's own token can look up the real one. */
const unknownId = "unknown";

export async function createAccount<Outputs extends z.ZodRawShape>(
  { api, log }: Context,
  version: Version,
  given: { readonly name: string },
  { sent, outputs }: { readonly sent: readonly string[]; readonly outputs: Outputs },
) {
  const { create, otherNames } = inVersion[version];
  const account = fieldsOf(given, sent, { cacheQuotaSizeInGB: "CacheQuotaSizeInGB", ...otherNames });
  const created = await api.call(create, { body: { account }, answer: Created }).catch((error: unknown) => {
    throw outcomeUnknown(
      withTakenName(error, "account"),
      `Look in the platform's user interface for a new account named ${JSON.stringify(given.name)}. If it exists, have it removed, or the next "pulumi up" creates a second one; to keep it, ${importAdvice("Account", "<account id>")}`,
    );
  });
  const id = await idOf(api, created);
  if (!created.authentication_token)
    log.warn(`account ${id} was created, but the platform returned no token for it, so refresh cannot check it`);
  const known = { groups: [], ...told(outputs, created) };
  if (id !== unknownId) return { id, ...known };
  const message =
    'the account was created, but the platform did not return its id. Its token is kept in the state; run "pulumi refresh" to look up the id';
  throw new PartialSuccess(id, known, new Error(message));
}

/** From the response, or else by viewing the new account. */
async function idOf(api: Client, { account_id, id, authentication_token }: z.output<typeof Created>): Promise<string> {
  const returnedId = account_id ?? id;
  if (returnedId !== undefined) return String(returnedId);
  // The token of a new account may take a moment to work.
  const look = () => viewAccount(api, authentication_token ?? "").catch(() => undefined);
  // The account exists, and its token must be recorded: a cancellation ends the wait and nothing else.
  const view = await lookUntil(api, look, (seen) => seen !== undefined).catch(() => undefined);
  return view?.id ?? unknownId;
}

/** What the extended API can edit, as far as its manual tells. If one setting of a part changes, it wants all of them. */
const computeSettings = ["computeAccessKey", "computeSecretKey"] as const;
const storageSettings = ["storageAccessKey", "storageSecretKey", "defloc"] as const;
export const editable = [...computeSettings, ...storageSettings];
type Editable = { readonly [Name in (typeof editable)[number]]?: string | undefined };

/** Changes what differs. Throws `CannotChange`, before anything is sent, for what the API cannot do. */
export async function editInPlace(
  { api }: Context,
  id: string,
  old: Editable & { readonly authenticationToken?: string | undefined },
  given: Editable & { readonly apiVersion: Version; readonly computeType: string },
  redo: boolean,
): Promise<void> {
  const differs = (name: keyof Editable) => (redo ? given[name] !== undefined : old[name] !== given[name]);
  const names = [
    ...(computeSettings.some(differs) ? ["computeType", ...computeSettings] : []),
    ...(storageSettings.some(differs) ? storageSettings : []),
  ];
  if (names.length === 0) return;
  const missing = editable.filter((name) => old[name] !== undefined && given[name] === undefined);
  if (missing.length > 0) throw new CannotChange(`the API cannot take away ${missing.join(", ")} of account ${id}`);
  const editor = await editorOf(api, id, old.authenticationToken);
  if (!editor) throw new CannotChange(`no token that the platform accepts for account ${id} is known`);
  const isEdited = await keepIfOpen(id, {}, () => edit(editor, given.apiVersion, given, names));
  if (!isEdited) throw new CannotChange(`this installation cannot change account ${id}`);
}

/** The client that may edit an account: with its own token, or with the configured one if that belongs to it. */
export async function editorOf(api: Client, id: string, token: string | undefined): Promise<Client | undefined> {
  if (token !== undefined && (await mayEdit(api, id, token))) return api.forToken(token);
  return (await mayEdit(api, id, undefined)) ? api : undefined;
}

async function mayEdit(api: Client, id: string, token: string | undefined): Promise<boolean> {
  try {
    return (await viewAccount(api, token)).id === id;
  } catch (error) {
    if (!isPlatformError(error, "unauthorized", "forbidden") && !isNotFound(error)) throw error;
    // The account's own token may edit even if its role cannot view.
    return token !== undefined && error.code === "forbidden";
  }
}

/** Edits the account of the client's token, with the other version of the API if the installation lacks the wanted one. */
async function edit(client: Client, wanted: Version, given: object, names: readonly string[]): Promise<boolean> {
  const installation = installationOf(client);
  const versions: readonly Version[] = wanted === "v2" ? ["v2", "v1.2"] : ["v1.2", "v2"];
  for (const { edit: operation, otherNames } of versions.map((version) => inVersion[version])) {
    if (installation.lacks(operation)) continue;
    try {
      const send = () => client.call(operation, { body: fieldsOf(given, names, otherNames), answer: anyAnswer });
      await persistently(client, operation, send);
      return true;
    } catch (error) {
      // The path names no thing that could be gone: the account is that of the token.
      if (!isLacking(operation, error) && !isNotFound(error))
        throw isPlatformError(error, "rejected") ? error.with(`${error.message}. ${companions}`) : error;
      // What cannot be edited is replaced, and an account stays for ever: a page counts only while the platform is there.
      if (!error.fromPlatform) await viewAccount(client, undefined).catch(() => Promise.reject(error));
      installation.notice(operation, error);
    }
  }
  return false;
}

const companions =
  "When compute settings change, the platform requires both compute keys; when storage settings change, both storage keys and defloc";
