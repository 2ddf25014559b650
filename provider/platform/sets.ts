import type { PlatformError } from "../api/errors";
import type { Context } from "../core/define";
import { orGone } from "../core/gone";
import { enumerate } from "../values/enumerate";
import type { Changes } from "./changes";

/** What belongs to one parent, such as the addresses of an account: what to add and to remove, and what must stay. */

/** A set as this run sees it. Its elements are as the program spells them; the platform may spell them otherwise. */
export interface SetView<T> {
  /** In messages: `in group 204`. */
  readonly where: string;
  /** One of them and several, and what is done to them: `["role", "roles"]`, `["assign", "unassign"]`. */
  readonly nouns: readonly [string, string];
  readonly verbs: readonly [string, string];
  /** What it has. Undefined if nothing shows that. */
  readonly shown: readonly T[] | undefined;
  /** Whether two spellings may mean the same although nothing tells so. Then an old one is removed before a new one is added. */
  readonly isAmbiguous: boolean;
  /** The same for every spelling of one of them. */
  readonly identityOf: (one: T) => string;
  /** How the platform knows one of them. Absent: as the program spells it. */
  readonly nameOf?: (one: T) => string;
  /** What declares one of them. */
  readonly keysOf: (one: T) => readonly string[];
  /** What is never removed, although nobody declares it. */
  readonly stays?: (one: T) => boolean;
  /** `again`: an earlier run may have added them. */
  readonly add: (things: readonly T[], again: boolean) => Promise<Changes<T>>;
  readonly remove: (things: readonly T[]) => Promise<Changes<T>>;
}

/** What a resource declares of a set. */
export interface Declared<T> {
  readonly wanted: readonly T[];
  /** What it listed before, and what of that others had put there, if that is known. */
  readonly before?: Recorded<T> | undefined;
  /** Whether everything else goes. */
  readonly isWhole?: boolean | undefined;
  /** Whether what was there already is ours from now on. */
  readonly adopt?: boolean | undefined;
  /** Whether nobody knows if the last change was carried out. */
  readonly redo?: boolean | undefined;
}

export interface Recorded<T> {
  readonly listed: readonly T[];
  /** Those of the listed ones that others put there: destroy leaves them. Undefined if nothing showed it. */
  readonly ofOthers?: readonly T[] | undefined;
}

/** Tells what is in a list, in whatever spelling. */
export function among<T>({ identityOf }: SetView<T>, list: readonly T[]): (one: T) => boolean {
  const identities = new Set(list.map(identityOf));
  return (one) => identities.has(identityOf(one));
}

/** What of a list is in none of the others, in whatever spelling. */
export function without<T>(set: SetView<T>, list: readonly T[], ...others: readonly (readonly T[])[]): T[] {
  const isOther = among(set, others.flat());
  return list.filter((one) => !isOther(one));
}

/** Tells what the set has: anything, where nothing shows that. */
function isThereIn<T>(set: SetView<T>): (one: T) => boolean {
  return set.shown ? among(set, set.shown) : () => true;
}

/** What the resource itself has added, or may have. */
export function ownOf<T>(set: SetView<T>, { listed, ofOthers = [] }: Recorded<T>): T[] {
  return without(set, listed, ofOthers);
}

/** The set, once nobody removes any more what is wanted in it: in whatever spelling, and under whatever name of its parent. */
export async function settled<T, View extends SetView<T> | "gone">(
  { run }: Context,
  wanted: readonly T[],
  look: () => Promise<View>,
): Promise<View> {
  const set = await look();
  const removals = set === "gone" ? undefined : run.removalsOf(wanted.flatMap(set.keysOf));
  if (!removals) return set;
  await removals;
  return look();
}

/** What is there of the listed ones, and what else is there, as far as it may be removed. */
export function compared<T>(
  set: SetView<T>,
  listed: readonly T[],
  shown: readonly T[],
): Record<"present" | "others", T[]> {
  return {
    present: listed.filter(among(set, shown)),
    others: without(set, shown, listed).filter((one) => !set.stays?.(one)),
  };
}

/**
 * What a refresh shows of a resource: what is there of the listed ones and, if everything else should go, what others put
 * there. That is not ours, even if `exclusive` is turned off before the next `up`. What other resources of the stack have
 * put there is theirs, and nothing to show.
 */
export async function seenIn<T>(
  { run }: Context,
  set: SetView<T>,
  shown: readonly T[],
  { listed, ofOthers }: Recorded<T>,
  isWhole = false,
): Promise<{ readonly listed: T[]; readonly ofOthers: T[] | undefined }> {
  const { present, others } = compared(set, listed, shown);
  const wasOfOthers = among(set, ofOthers ?? []);
  const notOurs = [...present.filter(wasOfOthers), ...(isWhole ? others : [])];
  if (notOurs.length > 0) await run.othersAreDeclared();
  const foreign = notOurs.filter((one) => !set.keysOf(one).some((key) => run.isOwned(key)));
  const own = without(set, present, ofOthers ?? []);
  return { listed: [...own, ...foreign], ofOthers: ofOthers || foreign.length > 0 ? foreign : undefined };
}

export interface Plan<T> {
  readonly add: readonly T[];
  readonly remove: readonly T[];
}

function planOf<T>(set: SetView<T>, { wanted, before = { listed: [] }, isWhole, redo }: Declared<T>): Plan<T> {
  const { shown } = set;
  const own = ownOf(set, before);
  if (shown) {
    const { others } = compared(set, wanted, shown);
    return { add: without(set, wanted, shown), remove: isWhole ? others : others.filter(among(set, own)) };
  }
  // What should be there is not added again: some platforms refuse that, or count it twice.
  return { add: redo ? wanted : without(set, wanted, before.listed), remove: without(set, own, wanted) };
}

/** What a change will do, as far as the run knows what else it declares. */
export function foreseen<T>({ run }: Pick<Context, "run">, set: SetView<T>, declared: Declared<T>): Plan<T> {
  const { add, remove } = planOf(set, declared);
  return { add, remove: declaredNowhereElse({ run }, set, remove, "declarerOf") };
}

export function foreseeSet<T>({ log, run }: Context, set: SetView<T>, declared: Declared<T>): void {
  const { add, remove: leaving } = foreseen({ run }, set, declared);
  const found = takenFromOthers(set, declared, run);
  if (add.length > 0) log.info(`will ${set.verbs[0]} ${count(set, add)}: ${namesOf(set, add)}`);
  // A preview knows only what was declared before this, and not whether a replacement deletes the old resource first.
  if (leaving.length > 0)
    log.warn(
      `will ${set.verbs[1]} ${count(set, leaving)}: ${namesOf(set, leaving)}${declared.isWhole ? ". What this program declares elsewhere stays" : ""}`,
    );
  warnOfOthers(log, set, leftOfOthers({ run }, set, declared), "will leave");
  if (found.length > 0)
    log.warn(
      `${foundText(set, found)}. None of this applies to a replacement that deletes the old resource first, or to what another resource of this program gives up`,
    );
}

/** What is there already, and neither this resource nor another of the stack has put there, as far as the run knows. */
function takenFromOthers<T>(set: SetView<T>, { wanted, before, adopt }: Declared<T>, run: Context["run"]): T[] {
  if (adopt || !set.shown) return [];
  const isOwned = (one: T) => set.keysOf(one).some((key) => run.isOwned(key));
  const present = wanted.filter(among(set, set.shown));
  return without(set, present, before?.listed ?? []).filter((one) => !isOwned(one));
}

function foundText<T>(set: SetView<T>, found: readonly T[]): string {
  return `found ${count(set, found)} already ${set.where}, put there by others, by an interrupted run, by a resource that was renamed without an alias or by what a forced replacement replaces, which destroy will leave: ${namesOf(set, found)}. To have destroy ${set.verbs[1]} such ${set.nouns[1]} too, set adopt: true`;
}

/** What the set has of the resource after a change, with an error if only a part was done. */
type ChangedSet<T> = Recorded<T> & Pick<Changes<T>, "error">;

/** Removes nothing until the rest is there, unless two spellings may mean the same. Throws if nothing was done. */
export async function changeSet<T>(context: Context, set: SetView<T>, declared: Declared<T>): Promise<ChangedSet<T>> {
  const { log, run } = context;
  const { wanted, adopt, redo = false } = declared;
  // Whoever has looked has waited for these.
  if (!set.shown) await run.removalsOf(wanted.flatMap(set.keysOf));
  const plan = planOf(set, declared);
  if (plan.remove.length > 0 || takenFromOthers(set, declared, run).length > 0) await run.othersAreDeclared();
  let left: readonly T[] | undefined;
  /** Asked right before it leaves: until then, another resource may be declared that keeps it. */
  const leaving = (): readonly T[] => {
    left ??= declaredNowhereElse(context, set, plan.remove, "declarerOf");
    return left;
  };
  const changes = {
    add: () => (plan.add.length > 0 ? set.add(plan.add, redo) : nothing),
    remove: () => taken(context, set, leaving()),
  };
  const done: Record<keyof Plan<T>, Changes<T>> = { add: nothing, remove: nothing };
  for (const change of set.isAmbiguous ? (["remove", "add"] as const) : (["add", "remove"] as const)) {
    done[change] = await changes[change]();
    if (done[change].error) break;
  }
  const found = [...takenFromOthers(set, declared, run), ...(adopt ? [] : (done.add.alreadyThere ?? []))];
  const ofOthers = recordedOthers(set, declared, found);
  const error = done.add.error ?? done.remove.error;
  if (error) return inPart(set, declared, { add: plan.add, remove: leaving() }, done, error, ofOthers);
  if (found.length > 0) log.warn(foundText(set, found));
  warnOfOthers(log, set, leftOfOthers(context, set, declared), "left");
  return { listed: wanted, ofOthers };
}

/** What the resource has put there, is there, and no other resource of the run keeps: a delete removes that. */
export function leavingOf<T>(context: Context, set: SetView<T>, recorded: Recorded<T>): T[] {
  return declaredNowhereElse(context, set, ownOf(set, recorded).filter(isThereIn(set)), "keeperOf");
}

/** Removes them, as the run must know. */
async function taken<T>({ run }: Context, set: SetView<T>, leaving: readonly T[]): Promise<Changes<T>> {
  return leaving.length > 0 ? run.removing(leaving.flatMap(set.keysOf), () => set.remove(leaving)) : nothing;
}

/** Removes it. Says what of it others had put there. */
export async function removeFromSet<T>(context: Context, set: SetView<T>, recorded: Recorded<T>): Promise<T[]> {
  const isThere = isThereIn(set);
  const missing = ownOf(set, recorded).filter((one) => !isThere(one));
  if (missing.length > 0) context.log.info(`not ${set.where} any more, so not removed: ${namesOf(set, missing)}`);
  const leaving = leavingOf(context, set, recorded);
  const { error } = await taken(context, set, leaving);
  // What the platform shows is there.
  if (error) throw set.shown ? error : orGone(error);
  warnOfOthers(context.log, set, (recorded.ofOthers ?? []).filter(isThere), "left");
  return leaving;
}

function warnOfOthers<T>(log: Context["log"], set: SetView<T>, left: readonly T[], verb: string): void {
  if (left.length > 0) log.warn(`${verb} ${count(set, left)} ${set.where}, put there by others: ${namesOf(set, left)}`);
}

/** What others put there, and this resource declares no more. */
function leftOfOthers<T>(
  { run }: Pick<Context, "run">,
  set: SetView<T>,
  { wanted, before, isWhole }: Declared<T>,
): T[] {
  const left = isWhole ? [] : without(set, before?.ofOthers ?? [], wanted).filter(isThereIn(set));
  return declaredNowhereElse({ run }, set, left, "declarerOf");
}

const nothing: Changes<never> = { done: [], open: [] };

/** Those of the declared ones that others put there. */
function recordedOthers<T>(
  set: SetView<T>,
  { wanted, before, adopt }: Declared<T>,
  found: readonly T[],
): T[] | undefined {
  if (adopt) return [];
  if (!set.shown && !before?.ofOthers && found.length === 0) return undefined;
  const [isFound, wasOfOthers, isThere] = [among(set, found), among(set, before?.ofOthers ?? []), isThereIn(set)];
  return wanted.filter((one) => isFound(one) || (wasOfOthers(one) && isThere(one)));
}

/** After a change that was carried out in part: the state keeps what the set has now, or may have. */
function inPart<T>(
  set: SetView<T>,
  { wanted, before = { listed: [] } }: Declared<T>,
  plan: Plan<T>,
  { add, remove }: Record<keyof Plan<T>, Changes<T>>,
  error: PlatformError,
  ofOthers: readonly T[] | undefined,
): ChangedSet<T> {
  const touched = [add, remove].flatMap(({ done, open }) => [...done, ...open]);
  if (touched.length === 0) throw error;
  const [isTouched, isToAdd, wasListed] = [among(set, touched), among(set, plan.add), among(set, before.listed)];
  // The last change had an open outcome, and these were not tried again.
  const isUncertain = (one: T) => !set.shown && isToAdd(one) && !isTouched(one) && wasListed(one);
  const left = without(set, plan.remove, remove.done);
  // If everything else should go, the next `up` must notice what others put there and is left, but it is not ours.
  const leftOfOthers = without(set, left, ownOf(set, before));
  return {
    listed: [...wanted.filter((one) => !isToAdd(one) || isTouched(one) || isUncertain(one)), ...left],
    ofOthers: ofOthers || leftOfOthers.length > 0 ? [...(ofOthers ?? []), ...leftOfOthers] : undefined,
    error: wanted.some(isUncertain) ? error.with(error.message, { outcome: "open" }) : error,
  };
}

/** Without what another resource of this run declares, which must stay. The log is absent where the same is said later. */
function declaredNowhereElse<T>(
  { log, run }: Pick<Context, "run"> & Partial<Pick<Context, "log">>,
  { where, nouns, keysOf, nameOf = String }: SetView<T>,
  things: readonly T[],
  keeper: "declarerOf" | "keeperOf",
): T[] {
  const keepers = new Map(things.map((one) => [one, run[keeper](...keysOf(one))]));
  const staying = things.filter((one) => keepers.get(one) !== undefined);
  const named = staying.map((one) => `${nouns[0]} ${nameOf(one)} (${keepers.get(one)})`);
  if (named.length > 0) log?.info(`left ${where} because this run declares it elsewhere: ${enumerate(named, 10)}`);
  return things.filter((one) => keepers.get(one) === undefined);
}

function count<T>({ nouns }: SetView<T>, { length }: readonly T[]): string {
  return `${length} ${nouns[length === 1 ? 0 : 1]}`;
}

function namesOf<T>({ nameOf = String }: SetView<T>, things: readonly T[]): string {
  return enumerate(things.map(nameOf));
}
