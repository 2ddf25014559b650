import type { AnyResource } from "./define";

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
