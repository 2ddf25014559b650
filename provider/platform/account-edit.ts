import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf, isLacking } from "../api/installation";
import { CannotChange, type Context, keepIfOpen } from "../core/define";
import { isNotFound } from "../core/extended";
import { viewAccount } from "./account-view";

/** What can be edited, in terms of the resource. */
interface Editable {
  readonly apiVersion: Version;
  readonly computeType: string;
  readonly computeAccessKey?: string | undefined;
  readonly computeSecretKey?: string | undefined;
  readonly storageAccessKey?: string | undefined;
  readonly storageSecretKey?: string | undefined;
  readonly defloc?: string | undefined;
}
type Old = Partial<Editable> & { readonly authenticationToken?: string | undefined };
type Version = "v1.2" | "v2";

const computeSettings = ["computeAccessKey", "computeSecretKey"] as const;
const storageSettings = ["storageAccessKey", "storageSecretKey", "defloc"] as const;
const settings = [...computeSettings, ...storageSettings];

/** The parts of an account that differ. The platform wants all settings of a part if one of them changes. */
interface Changes {
  readonly compute: boolean;
  readonly storage: boolean;
}

/** Changes what differs. Throws `CannotChange`, before anything is sent, for what the API cannot do. */
export async function editInPlace(
  { api }: Context,
  id: string,
  old: Old,
  given: Editable,
  redo: boolean,
): Promise<void> {
  const changes = changesOf(old, given, redo);
  if (!changes.compute && !changes.storage) return;
  const missing = settings.filter((name) => old[name] !== undefined && given[name] === undefined);
  if (missing.length > 0) throw new CannotChange(`the API cannot take away ${missing.join(", ")} of account ${id}`);
  const editor = await editorOf(api, id, old.authenticationToken);
  if (!editor) throw new CannotChange(`no token that the platform accepts for account ${id} is known`);
  const edited = await keepIfOpen(id, {}, () => edit(editor, given, changes));
  if (edited === "lacking") throw new CannotChange(`this installation cannot change account ${id}`);
}

function changesOf(old: Old, given: Editable, redo: boolean): Changes {
  const differs = (name: keyof Editable) => (redo ? given[name] !== undefined : old[name] !== given[name]);
  return { compute: computeSettings.some(differs), storage: storageSettings.some(differs) };
}

/**
 * The client that may edit an account: with the account's own token, or with the configured one if that belongs to it.
 * Undefined if there is none.
 */
export async function editorOf(api: Client, id: string, token: string | undefined): Promise<Client | undefined> {
  if (token !== undefined && (await mayEdit(api, id, token))) return api.forToken(token);
  return (await mayEdit(api, id, undefined)) ? api : undefined;
}

async function mayEdit(api: Client, id: string, token: string | undefined): Promise<boolean> {
  try {
    return (await viewAccount(api, token)).id === id;
  } catch (error) {
    if (!isPlatformError(error, "unauthorized", "forbidden", "not-found")) throw error;
    // The account's own token may edit even if its role cannot view.
    return token !== undefined && error.code === "forbidden";
  }
}

/** Edits the account of the client's token, with the other version of the API if the installation lacks the wanted one. */
async function edit(client: Client, given: Editable, changes: Changes): Promise<"done" | "lacking"> {
  const installation = installationOf(client);
  const versions: readonly Version[] = given.apiVersion === "v2" ? ["v2", "v1.2"] : ["v1.2", "v2"];
  for (const version of versions) {
    const operation = version === "v2" ? extendedOperations.editAccountV2 : extendedOperations.editAccountV1;
    if (installation.lacks(operation)) continue;
    try {
      await client.call(operation, { body: bodyOf(given, changes, version), answer: anyAnswer });
      return "done";
    } catch (error) {
      // The path names no thing that could be gone: the account is that of the token.
      if (!isLacking(operation, error) && !isNotFound(error))
        throw isPlatformError(error, "rejected") ? error.with(`${error.message}. ${companions}`) : error;
      installation.notice(operation, error, () => undefined);
    }
  }
  return "lacking";
}

const companions =
  "When compute settings change, the platform requires both compute keys; when storage settings change, both storage keys and defloc";

function bodyOf(given: Editable, { compute, storage }: Changes, version: Version) {
  const { storageAccessKey, storageSecretKey, defloc } = given;
  const storageKeys =
    version === "v2"
      ? { storage_access_key: storageAccessKey, storage_secret_key: storageSecretKey }
      : { acc_key: storageAccessKey, secret: storageSecretKey };
  return {
    ...(compute && {
      compute_type: given.computeType,
      compute_access_key: given.computeAccessKey,
      compute_secret_key: given.computeSecretKey,
    }),
    ...(storage && { ...storageKeys, defloc }),
  };
}
