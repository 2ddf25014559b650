import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { isPlatformError, leavesOutcomeOpen } from "../api/errors";
import { isSoAfterAll, saysItIsSo } from "../api/meaning";
import { operations } from "../api/operations";
import type { Context } from "../core/define";
import { expectGone, isLikelyGone } from "../core/gone";
import type { Id } from "../values/id";
import { judgedBy } from "../values/problem";
import { changeTogether } from "./changes";
import { managing } from "./managed-set";
import type { SetView } from "./sets";

/** Packages of an environment: as users write them, as they are compared, and the set of them that a resource manages. */

export const sourceTypes = ["python_package", "r_package"] as const;
export type SourceType = (typeof sourceTypes)[number];

const namePattern = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$/;
const versionPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._+!*-]*[A-Za-z0-9*])?$/;
const nameRule = "use letters, digits, dots, hyphens and underscores, without spaces or commas";

const PackageObject = z
  .strictObject({
    name: z.string().describe("Name of the package."),
    version: z.string().optional().describe("Exact version. Default: the latest version when the package is added."),
  })
  .meta({ id: "Package", description: "A package, optionally pinned to an exact version." });

/** `"numpy"`, `"numpy==1.26.4"` or `{ name: "numpy", version: "1.26.4" }`. */
export const packageEntry = z.union([z.string(), PackageObject]).check(judgedBy(problemOf));
export type ParsedPackage = z.output<typeof PackageObject>;
export type PackageEntry = string | ParsedPackage;

export const repoUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

export const repoPackage = z
  .strictObject({
    name: z
      .string()
      .refine((name) => namePattern.test(name), {
        error: ({ input }) => `is ${JSON.stringify(input)}; ${nameRule}`,
      })
      .describe("Name of the package, without a version."),
    repoUrl: repoUrl.describe("URL of the repository to install it from."),
  })
  .meta({ id: "RepoPackage", description: "An R package with its own repository." });
export type RepoPackage = z.output<typeof repoPackage>;

function problemOf(entry: PackageEntry): string | undefined {
  const quoted = JSON.stringify(typeof entry === "string" ? entry : (entry.version ?? entry.name));
  const { name, version } = parsePackage(entry);
  if (name === "") return typeof entry === "string" && entry !== "" ? `${quoted} has no name` : "has an empty name";
  if (version === "")
    return `${quoted} has no version after "=="; add one, or use the bare name for the latest version`;
  if (/[<>~;@!]|(?<!=)=(?!=)|===/.test(name)) {
    return `${quoted} is neither a name nor name==version; the platform supports no other version specifiers`;
  }
  if (!namePattern.test(name)) return `${JSON.stringify(name)} is not a package name; ${nameRule}`;
  if (version !== undefined && !versionPattern.test(version)) {
    return `${JSON.stringify(version)} is not a version of ${name}; use only letters, digits and . _ + ! - *`;
  }
  return undefined;
}

export function parsePackage(entry: PackageEntry): ParsedPackage {
  if (typeof entry !== "string") return entry;
  const at = entry.indexOf("==");
  return at === -1 ? { name: entry } : { name: entry.slice(0, at), version: entry.slice(at + 2) };
}

/** The name to compare by: Python ignores case and treats any run of `-`, `_` and `.` as one separator. */
export function packageKey(sourceType: SourceType, name: string): string {
  return sourceType === "python_package" ? name.toLowerCase().replace(/[-_.]+/g, "-") : name;
}

/** Identifies a package among all environments. */
export function environmentKey(envId: Id, sourceType: SourceType, name: string): string {
  return `${sourceType} ${packageKey(sourceType, name)} of environment ${envId}`;
}

/** A package that the program declares. */
interface Wanted extends ParsedPackage {
  readonly repoUrl?: string | undefined;
  /** Whether it is sent in `repo_packages` instead of `package_names`. */
  readonly ownRepo: boolean;
}

export interface Packages {
  readonly sourceType: SourceType;
  readonly packages?: readonly PackageEntry[] | undefined;
  readonly repoUrl?: string | undefined;
  readonly repoPackages?: readonly RepoPackage[] | undefined;
}

/** All packages, by `packageKey`. */
export function packageMap({ sourceType, packages = [], repoUrl, repoPackages = [] }: Packages): Map<string, Wanted> {
  const all: Wanted[] = [
    ...packages.map((entry) => ({ ...parsePackage(entry), repoUrl, ownRepo: false })),
    ...repoPackages.map((entry) => ({ ...entry, ownRepo: true })),
  ];
  return new Map(all.map((entry) => [packageKey(sourceType, entry.name), entry]));
}

export function samePackages(a: Packages, b: Packages): boolean {
  const [left, right] = [packageMap(a), packageMap(b)];
  return left.size === right.size && [...left].every(([key, entry]) => sameWanted(entry, right.get(key)));
}

export function packageRules(
  { sourceType, packages = [], ...forR }: Partial<Packages>,
  report: (property: "packages" | "repoUrl" | "repoPackages", reason: string) => void,
): void {
  if (!sourceType) return;
  for (const name of ["repoUrl", "repoPackages"] as const)
    if (sourceType === "python_package" && forR[name] !== undefined)
      report(name, "is for R packages only; sourceType is python_package");
  const seen = new Map<string, string>();
  for (const [property, entries] of Object.entries({ packages, repoPackages: forR.repoPackages ?? [] }))
    for (const { name } of entries.map(parsePackage)) {
      const key = packageKey(sourceType, name);
      const other = seen.get(key);
      seen.set(key, name);
      if (other === undefined) continue;
      const [left, right] = [JSON.stringify(other), JSON.stringify(name)];
      const which = other === name ? `${right} twice` : `${left} and ${right}, which are the same package`;
      report(property as "packages", `lists ${which}; list each package once`);
    }
}

function sameWanted(a: Wanted | undefined, b: Wanted | undefined): boolean {
  return a?.version === b?.version && a?.repoUrl === b?.repoUrl && a?.ownRepo === b?.ownRepo;
}

function packageSpec({ name, version }: ParsedPackage): string {
  return version === undefined ? name : `${name}==${version}`;
}

/** The packages of one type in an environment. */
type Target = Pick<Packages, "sourceType" | "repoUrl"> & { readonly envId: Id };

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
