import type { AnyResource, Context, Log } from "./define";
import { afterRename } from "./urn";

/** Undefined where there is no limit. `unseen`: why refresh sees nothing. */
export function limitsOf(definition: AnyResource) {
  const { limits, read, delete: remove } = definition;
  const { thing = "it" } = limits;
  const unseen = read ? undefined : `the API cannot show ${thing}`;
  const stays = remove ? undefined : `Nothing is removed: the API cannot remove ${thing}. A warning names what stays.`;
  const replaced = `The API cannot change ${thing}: a new one is created, and the old one stays.`;
  return {
    unseen,
    refresh: limits.refresh ?? (unseen && `Nothing: ${unseen}, so refresh keeps the state as it is.`),
    update: limits.update ?? (stays && !changesInPlace(definition) ? replaced : undefined),
    destroy: limits.destroy ?? stays,
  };
}

/** Inputs that tell the provider how to work, and nothing about the thing; a description replaces it where there is one. */
const forTheProvider = ["adopt", "onDestroy", "wait", "skipValidation", "apiVersion", "tagSubmission", "description"];

/** Whether any change of the thing is an update. */
export function changesInPlace({ update, inputs, replaceOn }: AnyResource): boolean {
  const others = Object.keys(inputs.shape).filter((name) => !replaceOn.includes(name));
  return update !== undefined && others.some((name) => !forTheProvider.includes(name));
}

/** Says what a replacement leaves on the platform. That a job's run stays in the history is what everybody expects. */
export function warnOfReplacement(
  { type, job, limits }: AnyResource,
  { log }: Context,
  { id, state, changed }: { readonly id: string; readonly state: object; readonly changed: readonly string[] },
): void {
  const stays = job ? "" : limits.kept?.(id, state);
  if (stays) log.warn(`changing ${changed.join(", ")} creates a new ${type}, and ${stays}`);
}

/** Of what may be there twice, and stays: at a preview, the engine does not tell that another one leaves the program. */
export function adviseAlias({ type, job, keys, limits }: AnyResource, log: Log): void {
  if (job || !limits.kept || (keys && !keys.mayRepeat)) return;
  log.info(`${type}: creates a new one, which the API cannot remove. ${afterRename}`);
}
