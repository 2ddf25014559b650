import { anyAnswer } from "../api/answer";
import { isPlatformError, leavesOutcomeOpen } from "../api/errors";
import { isSoAfterAll, saysItIsSo } from "../api/meaning";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { expectGone, isLikelyGone } from "../core/gone";
import type { Id } from "../values/id";
import { changeTogether } from "./changes";
import { managing } from "./managed-set";
import {
  environmentKey,
  type Packages,
  packageKey,
  packageMap,
  packageSpec,
  parsePackage,
  type SourceType,
  sameWanted,
  type Wanted,
} from "./packages";
import type { SetView } from "./sets";

/** The packages of one type in an environment. */
interface Target {
  readonly envId: Id;
  readonly sourceType: SourceType;
  readonly repoUrl?: string | undefined;
}

/** How the packages that a resource lists are added and changed; what the environment holds after a failure is kept in the state. */
export const managedPackages = managing({
  idOf: (_, { envId, sourceType }) => `${envId}/${sourceType}`,
  look: async (context, target) => environmentPackages(context, target),
  declaredBy: (given: Target & Packages) => ({ wanted: [...packageMap(given).values()], adopt: true }),
  recordedIn(state: Packages, given?: Packages) {
    const wanted = given ? packageMap(given) : new Map<string, Wanted>();
    // A changed version is a package to add, which replaces the other version.
    const isUnchanged = ([key, entry]: [string, Wanted]) => !wanted.has(key) || sameWanted(wanted.get(key), entry);
    return { listed: [...packageMap(state)].filter(isUnchanged).map(([, entry]) => entry) };
  },
  listedAs: (listed, given) => asInputs(given, listed),
  outputsOf: () => ({}),
});

/** What the environment holds, as inputs. */
function asInputs(given: Packages, listed: readonly Wanted[]) {
  const spelled = new Map((given.packages ?? []).map((entry) => [parsePackage(entry).name, entry]));
  const plain = listed.filter(({ ownRepo }) => !ownRepo);
  const own = listed.flatMap(({ ownRepo, name, repoUrl }) => (ownRepo && repoUrl ? [{ name, repoUrl }] : []));
  return {
    ...((given.packages || plain.length > 0) && {
      packages: plain.map((entry) => spelled.get(entry.name) ?? packageSpec(entry)),
    }),
    ...((given.repoPackages || own.length > 0) && { repoPackages: own }),
  };
}

/** The API cannot list packages. */
export function environmentPackages(context: Context, target: Target): SetView<Wanted> {
  const { envId, sourceType } = target;
  return {
    where: `in environment ${envId}`,
    nouns: ["package", "packages"],
    verbs: ["add", "remove"],
    shown: undefined,
    isAmbiguous: false,
    identityOf: ({ name }) => packageKey(sourceType, name),
    nameOf: ({ name }) => name,
    keysOf: ({ name }) => [environmentKey(envId, sourceType, name)],
    add: (entries, again) => changeTogether(entries, () => addWhatIsMissing(context, target, entries, again)),
    remove: (entries) => changeTogether(entries, () => removeWhatIsThere(context, target, entries)),
  };
}

/**
 * Adding an installed package changes nothing, so a lost request is simply sent again: the API cannot list packages.
 * `again`: after an add whose response was lost. Then a platform may refuse what is there; otherwise others have put it there.
 */
async function addWhatIsMissing(
  context: Context,
  target: Target,
  entries: readonly Wanted[],
  again: boolean,
): Promise<void> {
  const { envId, sourceType, repoUrl } = target;
  const plain = entries.filter(({ ownRepo }) => !ownRepo);
  const own = entries.filter(({ ownRepo }) => ownRepo).map(({ name, repoUrl }) => ({ name, repo_url: repoUrl }));
  const body = {
    source_type: sourceType,
    ...(plain.length > 0 && { package_names: plain.map(packageSpec).join(",") }),
    ...(repoUrl !== undefined && { repo_url: repoUrl }),
    ...(own.length > 0 && { repo_packages: JSON.stringify(own) }),
  };
  try {
    await context.api.call(operations.addPackages, { path: { envId }, body, answer: anyAnswer });
  } catch (error) {
    if (!again || leavesOutcomeOpen(error) || !isSoAfterAll(error, "add", again)) throw error;
    if (entries.length > 1 && saysItIsSo(error, "add"))
      for (const entry of entries) await addWhatIsMissing(context, target, [entry], true);
    else context.log.info(`the platform reports that ${namesOf(entries)} is already in environment ${envId}`);
  }
}

/**
 * By name only, so it removes whatever version is installed. One of them may be gone, and the others not: then each by
 * itself. The platform has refused the whole for one of them, so this asks for no refused thing in another form: each is
 * sent once alone, and what it refuses then stays refused.
 */
async function removeWhatIsThere(context: Context, target: Target, entries: readonly Wanted[]): Promise<void> {
  const { api, log } = context;
  const { envId, sourceType } = target;
  const names = namesOf(entries);
  const body = { source_type: sourceType, package_names: entries.map(({ name }) => name).join(",") };
  try {
    await api.call(operations.removePackages, { path: { envId }, body, answer: anyAnswer });
  } catch (error) {
    // A removal retried after a lost response finds nothing left to remove.
    if (isPlatformError(error, "not-found") && error.fromPlatform && error.outcome === "open") return;
    const isSaid = saysItIsSo(error, "remove");
    if (isSoAfterAll(error, "remove") && !isSaid) return;
    const warning = `environment ${envId}, or ${names} in it, no longer exists: nothing to remove`;
    const isOneOfSeveral = entries.length > 1 && (isSaid || (await isLikelyGone(api, error)));
    if (isOneOfSeveral) for (const entry of entries) await removeWhatIsThere(context, target, [entry]);
    else if (isSaid) log.warn(warning);
    else await expectGone(context, error, names, warning);
  }
}

function namesOf(entries: readonly Wanted[]): string {
  return entries.map(({ name }) => name).join(", ");
}
