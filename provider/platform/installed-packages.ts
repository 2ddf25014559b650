import { z } from "zod";
import { anyAnswer } from "../api/answer";
import { extendedOperations } from "../api/extended-operations";
import type { Context } from "../core/define";
import { answeredId, type Id, sameId } from "../values/id";
import { type Fields, isFields, jsonOrText } from "../values/json";
import { samePythonVersion, sameRVersion } from "../values/version";
import { attempt, lookAt } from "./lacking";
import { sharedListing } from "./listing";
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
    this.#pending = this.#keysOf(rows.filter(({ status }) => status === "pending"));
    const hasSucceeded = ({ status = "success" }: Row) => status === "success" || status === "installed";
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

  look(name: string): { readonly version?: string | undefined } | "gone" | "unknown" {
    const key = packageKey(this.#sourceType, name);
    if (this.#pending.has(key)) return "unknown";
    const found = this.#spellingsOf(key).find((spelling) => this.#installed.has(spelling));
    if (found !== undefined) return { version: this.#installed.get(found) };
    return this.#isComplete && !this.#mayMean(key) ? "gone" : "unknown";
  }

  get isVersion(): (wanted: string, installed: string) => boolean {
    return this.#sourceType === "python_package" ? samePythonVersion : sameRVersion;
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

  #keysOf(rows: readonly Row[]): Set<string> {
    return new Set(rows.flatMap(({ packages }) => packages.map(({ name }) => packageKey(this.#sourceType, name))));
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
    const [listed, everInstalled] = [this.#keysOf(rows), this.#keysOf(history)];
    if ([...everInstalled].every((key) => listed.has(key))) return false;
    const isOrdered = history.every(({ order }) => order !== undefined);
    const candidates = isOrdered ? inOrder(history).slice(-1) : history;
    return candidates.some((row) => {
      const installed = this.#keysOf([row]);
      return installed.size === listed.size && [...installed].every((key) => listed.has(key));
    });
  }
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

/*
 * What `list_packages` lists. Its form is not documented: texts, objects, maps from names to versions, or the requests
 * that added packages.
 */

/** A package, or a request for some. */
interface Row {
  readonly packages: readonly ParsedPackage[];
  /** Absent for a package that is simply listed. */
  readonly status?: "installed" | "success" | "failed" | "pending" | undefined;
  readonly isRequest: boolean;
  /** Later rows have larger ones, if the rows tell. */
  readonly order?: number | undefined;
}

const languages: Readonly<Record<SourceType, readonly string[]>> = {
  python_package: ["python_package", "python_packages", "python"],
  r_package: ["r_package", "r_packages", "r"],
};
const allLanguages = Object.values(languages).flat();

/** The part of a list that is about one language. Undefined if the list does not mention it. */
function partOfLanguage(list: unknown, sourceType: SourceType): unknown {
  if (!isFields(list)) return Array.isArray(list) ? list.filter((row) => mayBeOf(row, sourceType)) : list;
  const named = Object.entries(list).filter(([name, part]) => isLanguage(name) && !isPackage(part));
  if (named.length === 0) return Object.keys(list).length > 0 ? list : undefined;
  const own = named.filter(([name]) => languages[sourceType].includes(name.toLowerCase())).map(([, part]) => part);
  return own.length > 1 ? own.flatMap((part) => itemsOf(part)) : own[0];
}

const isLanguage = (name: string): boolean => allLanguages.includes(name.toLowerCase());

/** In a map from names to versions, `python` is the interpreter. */
function isPackage(part: unknown): boolean {
  return (typeof part === "string" && /^v?\d/.test(part)) || (isFields(part) && typeof part["version"] === "string");
}

function mayBeOf(row: unknown, sourceType: SourceType): boolean {
  const language = isFields(row) ? firstText(row, ["source_type", "env_type", "package_type", "language", "type"]) : "";
  return !isLanguage(language) || languages[sourceType].includes(language.toLowerCase());
}

/** The rows of one language, and the number of those that cannot be read. */
function rowsIn(part: unknown): { readonly rows: readonly Row[]; readonly unread: number } {
  const read = itemsOf(part).map(rowOf);
  const rows = read.filter((row) => row !== undefined);
  return { rows, unread: read.length - rows.length };
}

function itemsOf(given: unknown): readonly unknown[] {
  // A list may be JSON text.
  const part = typeof given === "string" && /^\s*[[{]/.test(given) ? jsonOrText(given) : given;
  if (typeof part === "string") return part.split(/[,\n]/).filter((item) => item.trim() !== "");
  if (Array.isArray(part)) return part;
  if (!isFields(part)) return part === null || part === undefined ? [] : [part];
  // A map from names to versions or to records, or from ids to records.
  return Object.entries(part).map(([name, value]) => {
    if (isFields(value)) return /^\d+$/.test(name) ? { id: name, ...value } : { name, ...value };
    if (Array.isArray(value)) return { packages: value, created_at: name };
    // A number as a version has lost its zeros.
    return { name, version: value };
  });
}

function rowOf(item: unknown): Row | undefined {
  if (typeof item === "string") {
    const packages = packagesIn(item);
    return packages && { packages, isRequest: packages.length > 1 };
  }
  if (!isFields(item)) return undefined;
  const status = statusOf(item);
  const order = orderOf(item);
  const name = firstText(item, ["name", "package_name", "pkg_name", "package", "pkg"]);
  const named = name && !name.includes(",") ? parseListed(name) : undefined;
  if (named && !requested(item)) {
    const version = exact(firstText(item, ["version", "package_version", "pkg_version", "installed_version"]));
    return { packages: [{ ...named, version: version ?? named.version }], status, order, isRequest: false };
  }
  const packages = packagesIn(requested(item) ?? name);
  return packages && { packages, status, order, isRequest: true };
}

/** What a request asked for. */
function requested(row: Fields): unknown {
  const names = ["installed_packages", "installed_pkgs", "package_names", "packages", "pkgs", "names"];
  return names
    .map((name) => row[name])
    .find((list) => typeof list === "string" || isFields(list) || Array.isArray(list));
}

function packagesIn(list: unknown): ParsedPackage[] | undefined {
  const read = itemsOf(list).map((item) => {
    if (typeof item === "string") return parseListed(item);
    const row = isFields(item) ? rowOf(item) : undefined;
    return row && !row.isRequest ? row.packages[0] : undefined;
  });
  const packages = read.filter((one) => one !== undefined);
  return packages.length === read.length && packages.length > 0 ? packages : undefined;
}

/** `numpy==1.26.4`, `numpy=1.26.4=py37_0`, `numpy (1.26.4)`, `numpy 1.26.4`; any other condition tells no version. */
function parseListed(text: string): ParsedPackage | undefined {
  const [, name, condition = ""] = /^\s*(\w(?:[\w.-]*\w)?)\s*(?:\[[^\]]*\])?\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) return undefined;
  const [, version = ""] = /^(?:={1,3}\s*|\(\s*)?([\w.+!-]+)(?:=[\w.]+|\s*\))?\s*$/.exec(condition) ?? [];
  return { name, version: exact(version) };
}

function exact(version: string): string | undefined {
  return /^v?\d[\w.+!-]*$/i.test(version.trim()) ? version.trim() : undefined;
}

function statusOf(row: Fields): Row["status"] {
  const { success } = row;
  if (typeof success === "boolean") return success ? "success" : "failed";
  const status = firstText(row, ["status", "state", "result"]).toLowerCase();
  if (status === "") return undefined;
  if (/fail|error|abort|cancel|reject|den(y|ied)/.test(status)) return "failed";
  if (/^(installed|active|present)$/.test(status)) return "installed";
  return /^(success|succe|done|complete|finish|ok$)/.test(status) ? "success" : "pending";
}

function orderOf(row: Fields): number | undefined {
  for (const name of ["id", "request_id", "created_at", "updated_at", "timestamp"]) {
    const value = row[name];
    if (typeof value === "number") return value;
    const at = typeof value === "string" ? (/^\d+$/.test(value) ? Number(value) : Date.parse(value)) : Number.NaN;
    if (!Number.isNaN(at)) return at;
  }
  return undefined;
}

function firstText(row: Fields, names: readonly string[]): string {
  const found = names.map((name) => row[name]).find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found : "";
}
