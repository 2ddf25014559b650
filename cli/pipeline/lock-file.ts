import { settingsIn } from "./guarded-config";
import { readJson, Unreadable } from "./guarded-text";

/* What `npm ci` would install. npm tidies up what it reads (paths, names of programs); what it would change is refused
 * here, as it might mean another package than the one that was judged. */

export interface Locked {
  /** Of a package that is installed under another name. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly hasShrinkwrap?: boolean;
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
export type Packages = Readonly<Record<string, Locked>>;

export function packagesIn(text: string | undefined): Packages {
  if (text === undefined) return {};
  const { lockfileVersion, packages } = settingsIn(readJson(text));
  if (!packages || (lockfileVersion !== 2 && lockfileVersion !== 3))
    throw new Unreadable("it is not a lockfile of npm 7 or later");
  const found = settingsIn(packages);
  const paths = Object.keys(found).filter((path) => path !== "");
  const odd = paths.find((path) => !isPlainPath(path));
  if (odd !== undefined) throw new Unreadable(`${quoted(odd)} is not the plain path of a package`);
  // One folder, where capital letters are not told from small ones.
  if (new Set(paths.map((path) => path.toLowerCase())).size < paths.length)
    throw new Unreadable("two paths differ in capital letters only");
  for (const path of paths) requireTexts(path, settingsIn(found[path]));
  return found as Packages;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));
const installed = /^node_modules\/(@[\w.-]+\/)?[\w.-]+(\/node_modules\/(@[\w.-]+\/)?[\w.-]+)*$/;

/** Of a package, of a folder of the repository (a workspace), or of a package in such a folder. */
function isPlainPath(path: string): boolean {
  const parts = path.split("/");
  const isPlain = parts.every(
    (part, index) =>
      /^@?[\w.-]+$/.test(part) &&
      !/^\.\.?$/.test(part) &&
      (part.toLowerCase() !== "node_modules" || (part === "node_modules" && parts[index - 1] !== part)),
  );
  const first = parts.indexOf("node_modules");
  return isPlain && (first === -1 || installed.test(parts.slice(first).join("/")));
}

function requireTexts(path: string, entry: Readonly<Record<string, unknown>>): void {
  for (const field of ["name", "version", "resolved", "integrity"])
    if (entry[field] !== undefined && typeof entry[field] !== "string")
      throw new Unreadable(`${field} of ${quoted(path)} is not a text`);
  for (const field of ["dependencies", "optionalDependencies", "peerDependencies"]) settingsIn(entry[field]);
}

/** Without options, and one only: of two, npm accepts either. */
export function hasChecksum({ link, integrity = "" }: Locked): boolean {
  return !link && /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity);
}

/** What npm writes. It reads more: `_resolved`, for one, is as good as `resolved`. */
const fields = new Set([
  ...["name", "version", "resolved", "integrity", "link", "bin", "license", "funding", "deprecated", "workspaces"],
  ...["engines", "os", "cpu", "libc", "hasInstallScript", "hasShrinkwrap", "inBundle", "extraneous", "ideallyInert"],
  ...["dev", "optional", "devOptional", "peer", "peerOptional"],
  ...["dependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta"],
  ...["bundleDependencies", "acceptDependencies"],
]);

export const unknownFields = (entry: Locked): string[] => Object.keys(entry).filter((field) => !fields.has(field));

/** The names of the programs that npm would link; undefined if they are not in the form in which npm writes them. */
export function programsOf(name: string, { bin }: Locked): string[] | undefined {
  if (bin === undefined) return [];
  const programs: unknown = typeof bin === "string" ? { [name.slice(name.lastIndexOf("/") + 1)]: bin } : bin;
  if (typeof programs !== "object" || programs === null || Array.isArray(programs)) return undefined;
  const isPlain = Object.entries(programs).every(
    ([program, file]) => /^[\w.-]+$/.test(program) && typeof file === "string" && isPlainFile(file),
  );
  return isPlain ? Object.keys(programs) : undefined;
}

const isPlainFile = (file: string): boolean =>
  /^(\.\/)?[\w@+.-]+(\/[\w@+.-]+)*$/.test(file) && !/(^|\/)\.\.(\/|$)/.test(file);

/** For what a package is called in other than its own folder. */
export const isPlainName = (name: string): boolean => /^(@[\w.-]+\/)?[\w.-]+$/.test(name);
