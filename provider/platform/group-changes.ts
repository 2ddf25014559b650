import { isPlatformError, PlatformError, saysItIsSo } from "../api/errors";
import { installationOf } from "../api/installation";
import type { Context } from "../core/define";
import { attempt, cannotDo } from "../core/extended";
import type { Id } from "../values/id";
import { type Part, segment } from "./group-parts";
import { groups, keysFor } from "./groups";
import { type Directory, type Named, spelled } from "./references";
import { notDeclaredElsewhere } from "./sets";

/** What a resource wants of the members or the roles of a group. */
export interface Plan {
  readonly wanted: readonly Id[];
  /** What it wanted before: of this, the group loses what is no longer wanted. */
  readonly previous: readonly Id[];
  /** Whether the group loses everything else, too. */
  readonly isWhole: boolean;
  /** Whether nobody knows if the last change was carried out. */
  readonly redo?: boolean;
  /** Told what the group has got, of what is wanted, as soon as it has it. */
  readonly onAdded?: (things: readonly Id[]) => void;
}

/** Adds what is missing, and removes what should go. Only the difference is sent. */
export async function changeTo(context: Context, part: Part, group: Named, plan: Plan): Promise<void> {
  const { wanted, previous, isWhole } = plan;
  const shown = await part.read(context, group);
  if (shown === "gone") throw noSuchGroup(group);
  const { directory } = await part.directory(context, [...wanted, ...previous]);
  const comparison = shown === "unknown" ? undefined : directory.compare(wanted, shown);
  const before = previous.map((one) => directory.of(one));
  const isIn = (list: readonly Named[], one: Named) => list.some((other) => directory.isSame(one, other));
  const remove = async (others: readonly Named[]) => {
    if (others.length > 0) await context.run.othersAreDeclared();
    const leaving = notDeclared(context, part, group, others, (key) => context.run.declarerOf(key));
    await change(context, part, group, "remove", leaving.map(part.spell));
  };
  const spelling = (one: Id) => part.spell(directory.of(one));
  const add = (missing: readonly Id[], actual: readonly Named[] | undefined) =>
    change(context, part, group, "add", missing.map(spelling), {
      actual,
      done: (added) => plan.onAdded?.(missing.filter((one) => added.includes(spelling(one)))),
    });
  if (comparison?.isSure && shown !== "unknown") {
    await add(comparison.missing, shown);
    return remove(comparison.others.filter((one) => isWhole || isIn(before, one)));
  }
  // Nothing shows what the group has: compare with what it should have had. The old spelling of something may mean the
  // same as the new one, so remove first.
  const named = wanted.map((one) => directory.of(one));
  const missing = plan.redo ? wanted : wanted.filter((one) => !isIn(before, directory.of(one)));
  await remove(before.filter((one) => !isIn(named, one)));
  await add(missing, isWhole ? named : undefined);
}

/** Removes what is there of the listed ones, and what another resource of the run does not keep. */
export async function removeFrom(context: Context, part: Part, group: Named, listed: readonly Id[]): Promise<void> {
  const shown = await part.read(context, group);
  if (shown === "gone") return;
  const { directory } = await part.directory(context, listed);
  const comparison = shown === "unknown" ? undefined : directory.compare(listed, shown);
  const present = comparison?.isSure ? comparison.present : listed;
  const named = present.map((one) => directory.of(one));
  const leaving = notDeclared(context, part, group, named, (key) => context.run.keeperOf(key));
  await change(context, part, group, "remove", leaving.map(part.spell));
}

/** What another resource of this run declares must stay. */
export function notDeclared(
  context: Context,
  part: Part,
  group: Named,
  things: readonly Named[],
  keeperOf: (key: string) => string | undefined,
): Named[] {
  const keeperOfAny = (one: Named) =>
    keysFor(part.key, one, group)
      .map(keeperOf)
      .find((found) => found !== undefined);
  return notDeclaredElsewhere(
    context.log,
    things,
    `in group ${spelled(group)}`,
    keeperOfAny,
    (one) => `${part.what} ${spelled(one)}`,
  );
}

type Direction = "add" | "remove";

interface ChangeOptions {
  /** What the group has, if that is known. */
  readonly actual?: readonly Named[] | undefined;
  readonly done?: (things: readonly Id[]) => void;
}

async function change(
  context: Context,
  part: Part,
  group: Named,
  direction: Direction,
  things: readonly Id[],
  options: ChangeOptions = {},
): Promise<void> {
  const sent: Id[] = [];
  const done = (some: readonly Id[]) => {
    sent.push(...some);
    options.done?.(some);
  };
  if (things.length === 0) return;
  const operation = part[direction];
  try {
    if (await attempt(context, operation, () => part.send(context.api, direction, group, things, done))) return;
  } catch (error) {
    if (!isPlatformError(error, "not-found", "conflict", "rejected")) throw error;
    const refused = things.filter((one) => !sent.includes(one));
    const left = await leftAfter(context, part, group, direction, refused, error);
    if (left.length < refused.length) {
      options.done?.(refused.filter((one) => !left.includes(one)));
      return change(context, part, group, direction, left, options);
    }
    if (error.code !== "not-found" || !error.fromPlatform || !(await lacksTheOperation(context, part, things)))
      throw error;
    installationOf(context.api).notice(operation, error, (message) => context.log.warn(message));
  }
  await changeByUpdate(context, part, group, direction, things, options.actual);
}

/**
 * A platform may refuse to add what is there, or to remove what is not: so after a refusal, what is left to do. The list
 * itself, if that cannot be told.
 */
async function leftAfter(
  context: Context,
  part: Part,
  group: Named,
  direction: Direction,
  things: readonly Id[],
  error: PlatformError,
): Promise<readonly Id[]> {
  const shown = await part.read(context, group);
  if (shown === "gone") {
    if (direction === "remove") return [];
    throw noSuchGroup(group);
  }
  const { directory } = await part.directory(context, things);
  const comparison = shown === "unknown" ? undefined : directory.compare(things, shown);
  if (comparison?.isSure) return [...(direction === "add" ? comparison.missing : comparison.present)];
  if (things.length > 1 || !saysItIsSo(error, direction)) return things;
  context.log.info(`nothing to ${direction}: ${error.message}`);
  return [];
}

/** Whether "not found" cannot mean one of the things, because they all exist. */
async function lacksTheOperation(context: Context, part: Part, things: readonly Id[]): Promise<boolean> {
  if (!part.fields) return false;
  const { directory, isComplete } = await part.directory(context, things);
  return !isComplete || things.every((one) => directory.knows(one));
}

async function changeByUpdate(
  context: Context,
  part: Part,
  group: Named,
  direction: Direction,
  things: readonly Id[],
  actual: readonly Named[] | undefined,
): Promise<void> {
  const lacking = cannotDo(part[direction], `group ${spelled(group)} was not changed`);
  if (!part.fields || (direction === "add" && !actual)) throw lacking;
  // Platforms differ in whether an update adds to the members or replaces them: naming all of them does both.
  const all = direction === "add" ? [...(actual ?? []).map(part.spell), ...things] : things;
  const body = { [part.fields[direction]]: [...new Set(all.map(String))].join(",") };
  const updated = await groups.update(context, segment(group), body);
  if (updated === "lacking") throw lacking;
  if (updated === "gone" && direction === "add") throw noSuchGroup(group);
}

export function noSuchGroup(group: Named): PlatformError {
  return new PlatformError(
    `there is no group ${spelled(group)}; check its id or name. If it was removed behind Pulumi's back, run "pulumi refresh", then "pulumi up"`,
    { code: "not-found" },
  );
}

/** What the platform shows of a list in the program, in the program's spelling. Undefined if it cannot be told. */
export function visibleList(
  directory: Directory,
  listed: readonly Id[],
  actual: readonly Named[],
): { readonly present: Id[]; readonly others: string[] } | undefined {
  const { present, others, isSure } = directory.compare(listed, actual);
  return isSure ? { present: [...present], others: others.map(spelled) } : undefined;
}
