import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { answeredId, type Id, sameId } from "../values/id";
import { isFields } from "../values/json";
import { samePythonVersion, sameRVersion } from "../values/version";
import { attempt, lookAt } from "./lacking";
import { sharedListing } from "./listing";
import { keysIn, partOfLanguage, type Row, rowsIn } from "./package-rows";
import {
  type PackageEntry,
  type Packages,
  type ParsedPackage,
  packageKey,
  parsePackage,
  type SourceType,
} from "./packages";
import { pagingIn } from "./paged-list";

/** A map may count its packages in some other way: then only a further page tells that there are more. */
const maxTotal = Number.MAX_SAFE_INTEGER;

/** The packages of one language in an environment, as far as the list tells. */
export class InstalledPackages {
  readonly #sourceType: SourceType;
  /** The versions that are said to be installed; undefined where the list does not tell which. */
  readonly #installed = new Map<string, string | undefined>();
  /** Packages that a request is still about to install. */
  readonly #pending: ReadonlySet<string>;
  /** Whether a package that is not listed is not installed. */
  readonly #isComplete: boolean;

  constructor(answer: unknown, sourceType: SourceType) {
    this.#sourceType = sourceType;
    const { packages, history: past } = listsIn(answer);
    const part = partOfLanguage(packages, sourceType);
    const { rows, unread } = rowsIn(part);
    const history = rowsIn(partOfLanguage(past, sourceType)).rows;
    this.#pending = keysIn(
      sourceType,
      rows.filter(({ status }) => status === "pending"),
    );
    const isPlain = rows.every(({ isRequest, status = "installed" }) => !isRequest && status === "installed");
    const isList = Array.isArray(part) || isFields(part);
    const { nextPage, total = 0 } = pagingIn(answer);
    const isAll = typeof nextPage !== "number" && total <= (Array.isArray(packages) ? packages.length : maxTotal);
    const isWhole = isList && unread === 0 && isAll;
    this.#isComplete = isPlain && isWhole && !this.#showsLastRequestOnly(rows, history);
    if (isPlain) this.#take(rows);
    // Only what succeeded was installed. The history lists nothing else, with or without saying so.
    else this.#take(inOrder([...history.filter(hasSucceeded), ...rows.filter(({ status }) => status === "success")]));
  }

  /** Whether a package is installed, and with which version, if that is known. */
  look(name: string): { readonly version?: string | undefined } | "gone" | "unknown" {
    const key = packageKey(this.#sourceType, name);
    if (this.#pending.has(key)) return "unknown";
    const found = this.#spellingsOf(key).find((spelling) => this.#installed.has(spelling));
    if (found !== undefined) return { version: this.#installed.get(found) };
    return this.#isComplete && !this.#mayMean(key) ? "gone" : "unknown";
  }

  isVersion(wanted: string, installed: string): boolean {
    const same = this.#sourceType === "python_package" ? samePythonVersion : sameRVersion;
    return same(wanted, installed);
  }

  /** conda calls the R package ggplot2 r-ggplot2. */
  #spellingsOf(key: string): string[] {
    return this.#sourceType === "python_package" ? [key] : [key, `r-${key.toLowerCase()}`];
  }

  /** `numpy-1.26.4` may be numpy with its version. */
  #mayMean(key: string): boolean {
    const isVersioned = (listed: string): boolean =>
      listed.startsWith(key) && /^[-_]v?\d/.test(listed.slice(key.length));
    return [...this.#installed.keys()].some(isVersioned);
  }

  /** Later rows win. */
  #take(rows: readonly Row[]): void {
    for (const { packages, order } of rows)
      for (const { name, version } of packages) {
        const key = packageKey(this.#sourceType, name);
        const isUnclear = order === undefined && this.#installed.has(key) && this.#installed.get(key) !== version;
        this.#installed.set(key, isUnclear ? undefined : version);
      }
  }

  /** According to the manual, `packages` is about requests: it may hold what the last successful one installed. */
  #showsLastRequestOnly(rows: readonly Row[], history: readonly Row[]): boolean {
    const [listed, everInstalled] = [keysIn(this.#sourceType, rows), keysIn(this.#sourceType, history)];
    if ([...everInstalled].every((key) => listed.has(key))) return false;
    const isOrdered = history.every(({ order }) => order !== undefined);
    const candidates = isOrdered ? inOrder(history).slice(-1) : history;
    return candidates.some((row) => {
      const installed = keysIn(this.#sourceType, [row]);
      return installed.size === listed.size && [...installed].every((key) => listed.has(key));
    });
  }
}

function hasSucceeded({ status = "success" }: Row): boolean {
  return status === "success" || status === "installed";
}

/** If a row does not tell its place, none of the orders counts. */
function inOrder(rows: readonly Row[]): Row[] {
  if (rows.every(({ order }) => order !== undefined)) return [...rows].sort((a, b) => a.order! - b.order!);
  return rows.map((row) => ({ ...row, order: undefined }));
}

/** `{packages, installed_pkgs_history}`, bare or one level down; else the answer itself is the list. */
function listsIn(answer: unknown): { readonly packages: unknown; readonly history: unknown } {
  if (!isFields(answer)) return { packages: Array.isArray(answer) ? answer : undefined, history: undefined };
  const history = Object.entries(answer).find(([name]) => name.endsWith("history"))?.[1];
  const packages = answer["packages"] ?? answer["installed_packages"];
  if (packages !== undefined) return { packages, history };
  const inner = Object.values(answer).find((value) => isFields(value) && "packages" in value);
  if (inner !== undefined) return listsIn(inner);
  const isByLanguage = partOfLanguage(answer, "python_package") !== answer;
  return { packages: isByLanguage ? answer : undefined, history };
}

const environmentRecord = z
  .object({ id: answeredId, env_id: answeredId })
  .transform(({ id, env_id }) => id ?? env_id)
  .pipe(z.union([z.number(), z.string()]));
const environmentsOf = sharedListing(extendedOperations.listEnvironments, "environments", environmentRecord, {
  hasPages: false,
});

/** `gone`: there is no such environment. `unknown`: this installation cannot list its packages. */
export async function lookAtPackages(context: Context, envId: Id, sourceType: SourceType) {
  const { api } = context;
  const { listPackages, listEnvironments } = extendedOperations;
  const list = async () => {
    const answer = await api.call(listPackages, { path: { envId }, answer: anyAnswer });
    return new InstalledPackages(answer, sourceType);
  };
  return lookAt(context, listPackages, list, async () => {
    const environments = await attempt(context, listEnvironments, () => environmentsOf(api).fresh());
    return environments !== undefined && environments.find((id) => sameId(id, envId)) === undefined;
  });
}

/** The recorded packages as they are now: without those that are gone, and with the installed versions. */
export function asInstalled(installed: InstalledPackages, { packages, repoPackages }: Partial<Packages>) {
  const isThere = ({ name }: ParsedPackage): boolean => installed.look(name) !== "gone";
  return {
    ...(packages && { packages: packages.filter((entry) => isThere(parsePackage(entry))).map(withVersion) }),
    ...(repoPackages && { repoPackages: repoPackages.filter(isThere) }),
  };

  /** A package without a version is whatever was installed. */
  function withVersion(entry: PackageEntry): PackageEntry {
    const { name, version } = parsePackage(entry);
    const found = installed.look(name);
    if (version === undefined || typeof found === "string" || found.version === undefined) return entry;
    if (installed.isVersion(version, found.version)) return entry;
    return typeof entry === "string" ? `${name}==${found.version}` : { ...entry, version: found.version };
  }
}
