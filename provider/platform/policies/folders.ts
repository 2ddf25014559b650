import { anyAnswer } from "../../api/answer";
import type { Client } from "../../api/client";
import { isPlatformError } from "../../api/errors";
import { extendedOperations } from "../../api/extended-operations";
import { installationOf } from "../../api/installation";
import { isLacking, isNotFound } from "../../api/meaning";
import { operations } from "../../api/operations";
import type { Context } from "../../core/define";
import { isLikelyGone } from "../../core/gone";
import { folderTypes } from "../../values/folder";
import { allOfFolders, answeredPolicy, encodePolicy } from "../../values/policy";
import { persistently } from "../lacking";
import { explained, placeKind, viewed } from "./place";

export interface PolicyFolder {
  readonly type: (typeof folderTypes)[number];
  readonly location: string;
  readonly name?: string | undefined;
}

export const folders = placeKind<PolicyFolder>({
  noun: "a folder",
  inputs: ["type", "location"],
  nameForm: /./s,
  example: "notes/Common/reports",
  grantee: "group:204",
  types: () => folderTypes,
  limits: { hidden: "Where the installation cannot show the policy", gone: "the folder no longer exists" },
  nameOf,
  placeOf: (context, folder, wasShown) => ({
    of: nameOf(folder),
    all: allOfFolders,
    mayMove: true,
    read: (api) => lookAtFolderPolicy({ ...context, api }, folder, wasShown),
    write: (api, policy) =>
      api
        .call(operations.setFolderPolicy, {
          body: { ...bodyOf(folder), policy: encodePolicy(policy) },
          answer: anyAnswer,
        })
        .catch(explained("not-found", ifNotMoved)),
  }),
  now(run, folder) {
    const location = run.movedTo(nameOf(folder));
    if (location === undefined) return folder;
    return { ...folder, location, ...(folder.name !== undefined && { name: location.replace(/^.*\//s, "") }) };
  },
});

const ifNotMoved =
  "Check location. If it is the currentLocation of a Folder, this platform may not move a folder that it renames: then give the location that the folder had before";

/** Notes that this run has renamed a folder: the state of what manages its policy still has the old location. */
export function noteRename({ run }: Context, { type, location }: PolicyFolder, target: string): void {
  const [from, to] = [location, target].map((at) => nameOf({ type, location: at }));
  if (from !== undefined && to !== undefined && from !== to) run.move(from, to, target);
}

/** `/Common/reports/` and `Common/reports` are the same folder. */
function nameOf({ type, location }: PolicyFolder): string {
  return `folder ${type}/${location.replace(/^\/+|\/+$/g, "")}`;
}

const { viewFolderPolicy } = extendedOperations;

/**
 * `absent`: there is no such folder, or it has no policy. `unknown`: this installation cannot show it. What is not found
 * may be one folder, so the others are looked at all the same.
 */
export async function lookAtFolderPolicy({ api, log }: Context, folder: PolicyFolder, wasShown = false) {
  const [installation, proof] = [installationOf(api), api.shared(makeProof)];
  if (installation.lacks(viewFolderPolicy)) return "unknown";
  const view = () => viewed(() => api.call(viewFolderPolicy, { body: bodyOf(folder), answer: answeredPolicy }));
  try {
    const policy = await persistently(api, viewFolderPolicy, view);
    proof.hasTheView = true;
    return policy;
  } catch (error) {
    if (isNotFound(error) ? wasShown || (await hasTheView(api)) : wasShown && (await isLikelyGone(api, error)))
      return "absent";
    if (!isNotFound(error) && !isLacking(viewFolderPolicy, error)) throw error;
    installation.notice(viewFolderPolicy, error, log, error.code !== "not-found");
    return "unknown";
  }
}

function bodyOf({ type, location, name }: PolicyFolder) {
  return { location, source_type: "Folder", type, ...(name !== undefined && { name }) };
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
