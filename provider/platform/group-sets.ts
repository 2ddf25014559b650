import { PlatformError } from "../api/errors";
import type { Context } from "../core/define";
import type { Id } from "../values/id";
import type { Part, Target } from "./group-parts";
import { keysFor, namesOfGroup } from "./groups";
import { type Named, spelled } from "./references";
import type { SetView } from "./sets";

/** The members or the roles of one group, as a set. */
export interface GroupSet extends SetView<Id> {
  readonly group: Named;
}

/** `references`: what is looked for in it. `all`: what it will have, if the program declares all of it. */
export async function lookAt(
  context: Context,
  part: Part,
  group: Named,
  references: readonly Id[],
  all?: readonly Id[],
): Promise<GroupSet | "gone"> {
  const actual = await part.read(context, group);
  if (actual === "gone") return "gone";
  const { directory } = await part.directory(context);
  if (actual === "unknown") return setOf(context, part, { group, directory, all });
  const complete = directory.and(actual);
  // A name cannot be compared with ids that nothing shows the names of.
  const { isSure } = complete.compare(references, actual);
  const shown = isSure ? actual.map((one) => complete.spell(one)) : undefined;
  return setOf(context, part, { group, directory: complete, shown, all });
}

/** The program may name the group by its id or its name. */
export async function lookAtGroup(context: Context, part: Part, groupId: Id, references: readonly Id[]) {
  const group = await namesOfGroup(context, groupId);
  return group ? lookAt(context, part, group, references) : "gone";
}

/** The same of a group that must be there. */
export async function existingSet(context: Context, part: Part, groupId: Id, references: readonly Id[]) {
  const set = await lookAtGroup(context, part, groupId, references);
  if (set === "gone") throw noSuchGroup(groupId);
  return set;
}

function setOf(context: Context, part: Part, target: Target): GroupSet {
  const { group, directory, shown } = target;
  return {
    group,
    where: `in group ${spelled(group)}`,
    nouns: [part.what, `${part.what}s`],
    verbs: part.verbs,
    shown,
    isAmbiguous: shown === undefined,
    among(list) {
      const isIn = directory.among(list.map((one) => directory.of(one)));
      return (one) => isIn(directory.of(one));
    },
    keysOf: (one) => keysFor(part.key, directory.of(one), group),
    stays: (one) => part.comesWith?.(group, directory.of(one)) ?? false,
    add: (things) => part.change(context, target, "add", things),
    remove: (things) => part.change(context, target, "remove", things),
  };
}

export function noSuchGroup(groupId: Id | Named): PlatformError {
  const name = typeof groupId === "object" ? spelled(groupId) : groupId;
  return new PlatformError(
    `there is no group ${name}; check its id or name. If it was removed behind Pulumi's back, run "pulumi refresh", then "pulumi up"`,
    { code: "not-found" },
  );
}
