import { type Fields, isFields, jsonOrText } from "../values/json";
import { type ParsedPackage, packageKey, type SourceType } from "./packages";

/**
 * Reads what `list_packages` lists. Its form is not documented: texts, objects, maps from names to versions, or the
 * requests that added packages.
 */

/** A package, or a request for some. */
export interface Row {
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
export function partOfLanguage(list: unknown, sourceType: SourceType): unknown {
  if (!isFields(list)) return Array.isArray(list) ? list.filter((row) => mayBeOf(row, sourceType)) : list;
  const named = Object.entries(list).filter(([name, part]) => isLanguage(name) && !isPackage(part));
  if (named.length === 0) return Object.keys(list).length > 0 ? list : undefined;
  const own = named.filter(([name]) => languages[sourceType].includes(name.toLowerCase())).map(([, part]) => part);
  return own.length > 1 ? own.flatMap((part) => itemsOf(part)) : own[0];
}

function isLanguage(name: string): boolean {
  return allLanguages.includes(name.toLowerCase());
}

/** In a map from names to versions, `python` is the interpreter. */
function isPackage(part: unknown): boolean {
  return (typeof part === "string" && /^v?\d/.test(part)) || (isFields(part) && typeof part["version"] === "string");
}

function mayBeOf(row: unknown, sourceType: SourceType): boolean {
  const language = isFields(row) ? firstText(row, ["source_type", "env_type", "package_type", "language", "type"]) : "";
  return !isLanguage(language) || languages[sourceType].includes(language.toLowerCase());
}

/** The rows of one language, and the number of those that cannot be read. */
export function rowsIn(part: unknown): { readonly rows: readonly Row[]; readonly unread: number } {
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

export function keysIn(sourceType: SourceType, rows: readonly Row[]): Set<string> {
  return new Set(rows.flatMap(({ packages }) => packages.map(({ name }) => packageKey(sourceType, name))));
}
