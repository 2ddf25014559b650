import { isPlatformError } from "../api/errors";
import { accountOf, withAccount } from "./account";
import { type CheckFailure, type CheckRequest, checkInputs } from "./check";
import { addedTo, type Clash, type Declarations } from "./declarations";
import type { AnyResource, Context } from "./define";
import { emptyListFailures } from "./empty-lists";
import { knownOf } from "./engine-values";
import type { Properties } from "./properties";
import { withoutBookkeeping } from "./state";

/** The keys of a definition in a run: what they contradict, and what becomes of them. */

/** The program contradicts itself, as reading from the platform tells: a preview fails too. */
export function isClash(error: unknown): boolean {
  return isPlatformError(error, "conflict") && error.outcome === "not-sent";
}

/**
 * For a create that refuses what is there already, before it sends anything: another resource of this run may give it up,
 * which the engine may not have said yet. Then it is tried once more, and takes it over.
 */
export async function unlessGivenUp<T>({ run }: Context, key: string, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    if (!isClash(error)) throw error;
    await run.othersAreDeclared();
    if (!run.isOwned(key)) throw error;
    return create();
  }
}

/** At preview: says that a create would meet something that is there. Another resource of the run may still give it up. */
export async function foreseeConflict({ log }: Context, create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isPlatformError(error, "conflict")) throw error;
    log.warn(`unless another resource of this stack gives it up, "pulumi up" will fail: ${error.message}`);
  }
}

/** The keys of the known inputs, each of which belongs to one resource. */
export function keysOf({ keys }: AnyResource, inputs: Properties): readonly string[] {
  return keys && !keys.mayRepeat ? keys.of(knownOf(inputs)) : [];
}

/** Records what a resource in the state has put on the platform, and in which account. */
export function own(definition: AnyResource, state: Properties, declarations: Declarations | undefined): void {
  const { keys } = definition;
  noteAccount(state, declarations);
  const account = accountOf(state);
  if (account !== undefined) declarations?.accounts.add(account);
  const owned = keys?.ownedIn?.(state) ?? keys?.of(knownOf(state));
  if (owned) declarations?.own(owned, keys?.knowledgeIn?.(state));
}

export function noteAccount(state: Properties, declarations: Declarations | undefined): void {
  const account = accountOf(state);
  if (account !== undefined) declarations?.worksIn(account);
}

/** Records that a create, an update or an import takes over the keys, when nobody is removing them any more. */
export async function takeOver(
  definition: AnyResource,
  context: Context,
  inputs: Properties,
  declarations: Declarations | undefined,
): Promise<void> {
  // Processes with other tokens know of each other once all of them know the account.
  if (declarations?.others?.areThere()) noteAccount(await withAccount(definition, context, {}), declarations);
  await declarations?.takeOver(keysOf(definition, inputs), sharedKeysOf(definition, inputs));
}

/** What a delete removes: the keys that nobody keeps, and what it has added to those of others. */
export function leavingOf(definition: AnyResource, state: Properties, { run }: Context): string[] {
  const leaving = keysOf(definition, state).filter((key) => run.keeperOf(key) === undefined);
  return [...leaving, ...sharedKeysOf(definition, state).map(addedTo)];
}

/** A state of before this run, as a change or a delete must understand it. */
export function inNewNames({ keys }: AnyResource, recorded: Properties, run: Declarations | undefined): Properties {
  const state = withoutBookkeeping(recorded);
  return (run && keys?.inNewNames?.(state, run)) ?? state;
}

/** The keys of others that the known inputs add to. */
function sharedKeysOf({ keys }: AnyResource, inputs: Properties): readonly string[] {
  return keys?.sharedBy?.(knownOf(inputs)) ?? [];
}

/** Records what a resource declares, and reports what another resource of the program declares too. */
function clashesOf(
  definition: AnyResource,
  inputs: Properties,
  { who, name, old }: CheckRequest,
  declarations: Declarations | undefined,
): CheckFailure[] {
  const { keys, type } = definition;
  if (!declarations || !keys || who === undefined) return [];
  // The state is compared only later; a resource that is created meanwhile may take over.
  const had = old ? keys.of(knownOf(old)) : [];
  if (!keys.ownedIn) declarations.own(had);
  const declarant = { who, label: `${type} ${JSON.stringify(name)}`, isNew: !old };
  const declared = keysOf(definition, inputs);
  const clashes = declarations.declare(declarant, declared, sharedKeysOf(definition, inputs), had);
  const isName = ({ key }: Clash) => keys.property === "name" && key === declared[0];
  if (keys.property === "name" && had[0] !== undefined && declared[0] !== undefined && had[0] !== declared[0])
    declarations.rename(had[0], String(inputs["name"]));
  return clashes.map((clash) => ({
    property: keys.property,
    reason: `${reasonOf(clash)}${isName(clash) ? ", or give one of them another name" : ""}`,
  }));
}

function reasonOf({ key, label, kind }: Clash): string {
  switch (kind) {
    case "both own":
      return `declares the ${key}, which ${label} in this program also declares; declare it only once`;
    case "other owns":
      return `adds to the ${key}, but ${label} in this program manages all of it and would remove this; declare it there, or remove that resource`;
    case "other shares":
      return `manages all of the ${key} and would remove what ${label} in this program adds to it; declare that here, or remove one of the two`;
  }
}

/** Everything that is wrong with the inputs of a resource in this run. Keys are derived from valid inputs only. */
export function failuresOf(
  definition: AnyResource,
  inputs: Properties,
  request: CheckRequest,
  declarations: Declarations | undefined,
): CheckFailure[] {
  if (declarations) declarations.hasProgram = true;
  const failures = [...checkInputs(definition, inputs), ...emptyListFailures(definition, inputs, request)];
  return failures.length > 0 ? failures : clashesOf(definition, inputs, request, declarations);
}
