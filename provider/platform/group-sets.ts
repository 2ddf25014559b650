import { PlatformError } from "../api/errors";
import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { enumerate } from "../values/enumerate";
import { type Id, isNumeric } from "../values/id";
import { type Part, readPart, type Target } from "./group-parts";
import { groupRoleKey, groups, keysFor, memberListKey, namesOfGroup } from "./groups";
import { cannotDo } from "./lacking";
import { type Named, spelled, spellings } from "./references";
import type { SetView } from "./sets";

/** The members or the roles of one group, as a set. */
type GroupSet = SetView<Id> & Pick<Target, "group">;

const where = (group: Named): string => `in group ${spelled(group)}`;

/** `references`: what is looked for in it. `all`: what it will have, if the program declares all of it. */
export async function lookAtPart(
  context: Context,
  part: Part,
  group: Named,
  references: readonly Id[],
  all?: readonly Id[],
): Promise<GroupSet | "gone"> {
  const known = await part.directory(context);
  const actual = await readPart(context, part, group, known);
  if (actual === "gone") return "gone";
  const directory = actual === "unknown" ? known : known.and(actual);
  // A name cannot be compared with ids that nothing shows the names of.
  const isSure = actual !== "unknown" && directory.compare(references, actual).isSure;
  const shown = isSure ? actual.map((one) => spelled(directory.completed(one))) : undefined;
  const target: Target = { group, directory, shown, all };
  return {
    group,
    where: where(group),
    nouns: [part.what, `${part.what}s`],
    verbs: part.verbs,
    shown,
    isAmbiguous: shown === undefined,
    identityOf: (one) => directory.identityOf(directory.of(one)),
    keysOf: (one) => keysFor(part.key, directory.of(one), group),
    stays: (one) => part.comesWith?.(group, directory.of(one)) ?? false,
    add: (things, again) => part.change(context, target, "add", things, again),
    async remove(things) {
      const changes = await part.change(context, target, "remove", things, false);
      await addWhatMayBeTheSame(context, part, target, [...changes.done, ...changes.open], references);
      return changes;
    },
  };
}

/**
 * Where nothing tells whether an id and a name mean the same, what was removed may be what another resource of the run
 * declares by the other one. To add that again changes nothing if it is something else. `own`: what the resource itself lists.
 */
export async function addWhatMayBeTheSame(
  context: Context,
  part: Part,
  target: Target,
  removed: readonly Id[],
  own: readonly Id[] = removed,
): Promise<void> {
  const { group, directory } = target;
  const isUnclear = (one: Id) => {
    const { id, name } = directory.of(one);
    return id === undefined || name === undefined;
  };
  const mayBe = (one: Id) => removed.some((other) => isUnclear(other) && isNumeric(other) !== isNumeric(one));
  const around = spellings(group).map((name) => part.key("…", name).split("…") as [string, string]);
  /** What of the group a key stands for. */
  const thingOf = (key: string) =>
    around.flatMap(([start, end]) =>
      key.startsWith(start) && key.endsWith(end) ? key.slice(start.length, -end.length) : [],
    );
  const isOther = (one: Id) => isUnclear(one) && mayBe(one) && !own.map(String).includes(String(one));
  const again = [...new Set(context.run.mayHaveRemoved((key) => thingOf(key).some(isOther)).flatMap(thingOf))];
  if (again.length === 0) return;
  const what = `${removed.join(", ")}, which this run removes, may be the same as ${again.join(", ")}, which it declares`;
  context.log.info(`${part.what} ${what}: to be sure, ${part.verbs[0]}s that ${where(group)} again`);
  const { error } = await part.change(context, target, "add", again, true);
  if (error) throw error;
}

/** The program may name the group by its id or its name. Says what stays if it is no longer known by that name. */
export async function lookAtGroup(context: Context, part: Part, groupId: Id, references: readonly Id[]) {
  const group = await namesOfGroup(context, groupId);
  if (group) return lookAtPart(context, part, group, references);
  if (!isNumeric(groupId) && references.length > 0)
    context.log.warn(
      `there is no group ${groupId}, so its ${part.what}s count as gone: if it has another name now, such as after a run that failed, it still has ${enumerate(references.map(String))}`,
    );
  return "gone";
}

/** The same of a group that must be there. */
export async function existingSet(context: Context, part: Part, groupId: Id, references: readonly Id[]) {
  const group = await namesOfGroup(context, groupId);
  const set = group ? await lookAtPart(context, part, group, references) : "gone";
  if (set !== "gone") return set;
  const maker = context.run.declarerOf(groups.keyOf(String(groupId)));
  if (maker === undefined) throw noSuchGroup(groupId);
  throw new PlatformError(
    `there is no group ${groupId} yet, which ${maker} in this program declares: let that come first, by giving its output (its id or name) as the group here, or with dependsOn`,
    { code: "not-found" },
  );
}

/** Says, at preview, what a platform will hardly add. A list that can be read only in part tells nothing. */
export async function foreseeMissing(context: Context, part: Part, things: readonly Id[] = []): Promise<void> {
  const missing = await part.missing(context, things).catch(() => []);
  if (missing.length > 0)
    context.log.warn(
      `the account has no ${part.what} ${missing.join(", ")}, so "pulumi up" will probably fail; ${part.what === "role" ? "getRoles" : "getUsers"} returns those that it has`,
    );
}

/** For what cannot be done without seeing the roles of a group. */
export function rolesAreNotShown(groupId: Id, done: "changed" | "read"): PlatformError {
  return cannotDo(extendedOperations.listGroupRoles, `the roles of group ${groupId} were not ${done}`);
}

/** Another resource of the program may declare the same role of the group in other words. */
export function refuseSharedRoles({ run }: Context, set: GroupSet, groupId: Id, roles: readonly Id[]): void {
  const { group, keysOf } = set;
  const own = new Set(roles.map((role) => groupRoleKey(role, groupId)));
  for (const role of roles) {
    const other = run.declarerOf(...keysOf(role).filter((key) => !own.has(key)));
    if (other === undefined) continue;
    throw new PlatformError(
      `declares role ${role} of group ${spelled(group)}, which ${other} in this program also declares; declare it only once. Nothing was changed`,
      { code: "conflict", outcome: "not-sent" },
    );
  }
}

/** A `Group` with `members` declares all of them. */
export function refuseIfManagedAsAWhole({ run }: Context, { group }: GroupSet): void {
  const owner = run.declarerOf(...spellings(group).map(memberListKey));
  if (owner === undefined) return;
  throw new PlatformError(
    `${owner} manages all members of group ${spelled(group)}; list the users there, or remove members from it. Nothing was changed`,
    { code: "conflict", outcome: "not-sent" },
  );
}

export function noSuchGroup(groupId: Id | Named): PlatformError {
  const name = typeof groupId === "object" ? spelled(groupId) : groupId;
  return new PlatformError(
    `there is no group ${name}; check its id or name. If it was removed behind Pulumi's back, run "pulumi refresh", then "pulumi up"`,
    { code: "not-found" },
  );
}
