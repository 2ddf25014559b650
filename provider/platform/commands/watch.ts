import { extendedOperations } from "../../api/extended-operations";
import type { Context } from "../../core/define";
import { type Id, sameId } from "../../values/id";
import { recordIn } from "../entries";
import { attempt, undefinedIfNotFound } from "../lacking";
import { type Finder, findByTag, finderOf, ofEarlierRun } from "./history";
import { type CommandRecord, commandRecord } from "./record";
import { isTag } from "./submit";

const viewed = recordIn(commandRecord);

/** Reads one command. Undefined if the platform does not show it, which does not mean that it never existed. */
export type CommandWatch = () => Promise<CommandRecord | undefined>;

/** For a command that is read as often as needed: by its id with the extended API, else from the history. */
export function watchOf(
  context: Context,
  id: Id,
  createdAt: string | undefined,
  finder: Finder = finderOf(context.api),
): CommandWatch {
  const { viewCommand } = extendedOperations;
  if (isTag(id)) return async () => (await findByTag(context.api, String(id), ofEarlierRun)).found;
  let isViewable = context.api.settings.extendedApi;
  const view = async () => {
    const call = () => context.api.call(viewCommand, { path: { id }, answer: viewed }).catch(undefinedIfNotFound);
    const found = await attempt(context, viewCommand, call);
    return found && sameId(found.id, id) ? found : undefined;
  };
  return async () => {
    const found = isViewable ? await view() : undefined;
    if (found) return found;
    // An installation that cannot view a command may answer "not found". Only the history of this command is read from then on.
    isViewable = false;
    return finder.byId(id, createdAt);
  };
}
