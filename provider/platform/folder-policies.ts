import { anyAnswer } from "../api/answer";
import { inBodyOrQuery, type Sent } from "../api/body-or-query";
import type { Client } from "../api/client";
import { isPlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import { installationOf } from "../api/installation";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { attempt, isNotFound, itselfIfNotFound } from "../core/extended";
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
  if (await api.shared(makeProof)) return "absent";
  installationOf(api).notice(viewFolderPolicy, result, (message) => log.warn(message));
  return "unknown";
}

function view(api: Client, { type, location, name }: PolicyFolder): Promise<Answered> {
  const parameters = { location, source_type: "Folder", type, ...(name !== undefined && { name }) };
  const send = (sent: Sent) => api.call(viewFolderPolicy, { ...sent, answer: answeredPolicy });
  return inBodyOrQuery(parameters, send).catch((error: unknown) => {
    // A platform that ignores the body looks for a folder without a location.
    if (!isNotFound(error)) throw error;
    return send({ query: parameters });
  });
}

/**
 * Whether the installation has the operation although it found no policy: then it refuses a request that names no folder
 * for its missing parameters. An installation that lacks it answers "not found" to that too.
 */
const makeProof = async (api: Client): Promise<boolean> => {
  try {
    await api.call(viewFolderPolicy, { answer: anyAnswer });
    return true;
  } catch (error) {
    return isPlatformError(error, "rejected", "conflict") && error.status !== 405;
  }
};

export function setFolderPolicy(api: Client, folder: PolicyFolder, policy: Policy): Promise<unknown> {
  const { type, location, name } = folder;
  return api.call(operations.setFolderPolicy, {
    body: { location, source_type: "Folder", type, policy: encodePolicy(policy), name },
    answer: anyAnswer,
  });
}
