import { z } from "zod";
import type { Id } from "../values/id";
import { judgedBy } from "../values/problem";

/** Packages of an environment: as users write them, as they are compared, and as the API takes them. */

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
export interface Wanted extends ParsedPackage {
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

/** Rules across the properties of a set. */
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

export function sameWanted(a: Wanted | undefined, b: Wanted | undefined): boolean {
  return a?.version === b?.version && a?.repoUrl === b?.repoUrl && a?.ownRepo === b?.ownRepo;
}

export function packageSpec({ name, version }: ParsedPackage): string {
  return version === undefined ? name : `${name}==${version}`;
}
