import { undoneUnless } from "./cleanup";
import { isPlain, settableElements } from "./policies";
import type { Session } from "./session";
import type { FolderTarget } from "./targets";

const placeOf = ({ location, type }: FolderTarget) => ({ location, type, source_type: "Folder" });

export async function readFolder(session: Session): Promise<void> {
  const { folder } = session.targets;
  if (!folder)
    return session.notTried("pass --folder TYPE/ID/LOCATION", "folders.viewPolicy", "folders.rename", "folders.policy");
  const { error, op } = await session.ask("folders.viewPolicy", { query: placeOf(folder) });
  if (!error) return;
  const missing = session.valueOf("policyMissing");
  const isClear = error.code !== "not-found" || !error.fromPlatform || (missing !== undefined && missing !== "404");
  if (isClear) op.failed(error);
  else session.notTried("answered with 404: the folder has no policy, or the operation is lacking", op.name);
}

/** Renames the folder and back; its policy is set only where it can be seen before. */
export async function writeFolder(session: Session): Promise<void> {
  const { folder } = session.targets;
  if (!folder) return;
  const { location, type, id } = folder;
  const name = location.slice(location.lastIndexOf("/") + 1);
  const other = `${name}-conform-${session.options.mark}`;
  const renamed = location.slice(0, location.length - name.length) + other;
  const renaming = (to: string, from: string) => ({ body: { folder_id: id, type, name: to, location: from } });
  /** `refusal`: of the new location, where a rename does not change it; `error`: nothing gave the name back. */
  const renameBack = async () => {
    const { error: refusal } = await session.ask("folders.rename", renaming(name, renamed));
    const { error } = refusal ? await session.ask("folders.rename", renaming(name, location)) : { error: undefined };
    return { refusal, error };
  };
  const step = {
    what: `name of folder ${location}`,
    undo: async () => undoneUnless((await renameBack()).error, `renaming it back from ${renamed}`),
  };
  const answer = await session.expect("folders.rename", renaming(other, location), step);
  if (!answer) return;
  answer.notShown();
  const { refusal, error } = await renameBack();
  if (error) return answer.op.failed(refusal ?? error);
  if (refusal) answer.op.deviates("a rename does not change the location", "copes");
  session.cleanup.done(step);
  await writeFolderPolicy(session, placeOf(folder));
}

/** The same policy again: what the folder allows does not change. */
async function writeFolderPolicy(session: Session, place: ReturnType<typeof placeOf>): Promise<void> {
  const view = await session.ask("folders.viewPolicy", { query: place });
  const found = view.error ? undefined : settableElements(view.json);
  if (!found?.every(isPlain)) return session.notTried("the folder's policy could not be put back", "folders.policy");
  const answer = await session.expect("folders.policy", { body: { ...place, policy: JSON.stringify(found) } });
  answer?.notShown();
}
