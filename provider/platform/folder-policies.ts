import { anyAnswer } from "../api/answer";
import type { Client } from "../api/client";
import { isPlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf } from "../api/installation";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { attempt, itselfIfNotFound } from "../core/extended";
import type { folderTypes } from "../values/folder";
import { answeredPolicy, encodePolicy, type Policy } from "../values/policy";

export interface PolicyFolder {
  readonly type: (typeof folderTypes)[number];
  readonly location: string;
  readonly name?: string | undefined;
}

/** `FolderPolicy` declares this key, and `FolderGrant` adds to it. `/Common/reports/` and `Common/reports` are the same folder. */
export function folderPolicyKey({ type, location }: Pick<PolicyFolder, "type" | "location">): string {
  return `policy of folder ${type}/${location.replace(/^\/+|\/+$/g, "")}`;
}

type Answered = ReturnType<typeof answeredPolicy.parse>;

const { viewFolderPolicy } = extendedOperations;

/** `absent`: there is no such folder, or it has no policy. `unknown`: this installation cannot show it. */
export async function lookAtFolderPolicy(
  context: Context,
  folder: PolicyFolder,
): Promise<Answered | "absent" | "unknown"> {
  const { api, log } = context;
  const viewed = await attempt(context, viewFolderPolicy, () => view(api, folder).catch(itselfIfNotFound));
  if (!viewed) return "unknown";
  const { result } = viewed;
  if (Array.isArray(result)) return result;
  if (await hasTheView(api)) return "absent";
  installationOf(api).notice(viewFolderPolicy, result, (message) => log.warn(message));
  return "unknown";
}

function view(api: Client, { type, location, name }: PolicyFolder): Promise<Answered> {
  const body = { location, source_type: "Folder", type, ...(name !== undefined && { name }) };
  return api.call(viewFolderPolicy, { body, answer: answeredPolicy });
}

/**
 * Whether the installation has the operation although it found no policy: then it refuses a request that names no folder
 * for its missing parameters. An installation that lacks it answers "not found" to that too.
 */
async function hasTheView(api: Client): Promise<boolean> {
  const known = api.shared(makeProof);
  if (known.hasTheView !== undefined) return known.hasTheView;
  try {
    await api.call(viewFolderPolicy, { answer: anyAnswer });
    known.hasTheView = true;
  } catch (error) {
    // Any other error, such as a refused connection, tells nothing.
    if (!isPlatformError(error, "rejected", "conflict", "not-found")) throw error;
    known.hasTheView = error.code !== "not-found" && error.status !== 405;
  }
  return known.hasTheView;
}
const makeProof = (): { hasTheView?: boolean } => ({});

export function setFolderPolicy(api: Client, folder: PolicyFolder, policy: Policy): Promise<unknown> {
  const { type, location, name } = folder;
  return api.call(operations.setFolderPolicy, {
    body: { location, source_type: "Folder", type, policy: encodePolicy(policy), name },
    answer: anyAnswer,
  });
}
