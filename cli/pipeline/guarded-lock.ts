import { type Change, settingsIn, unreadable } from "./guarded-config";
import { readJson, Unreadable } from "./guarded-text";
import { canonical } from "./state";

const gate = "pulumi-dataplatform";
/** What runs the program with the token. */
const ofPulumi = /^@pulumi\//;
/** Programs that pipelines start; ours are in our own package. */
const tools = /^(git|pulumi.*|node|npm|npx|corepack|sh|bash|env|dataplatform.*)$/;

/** Every package that changes, and whether it comes from where packages came from before. */
export function lockChanges(before: string | undefined, after: string | undefined): Change[] {
  try {
    const [old, now] = [packagesIn(before), packagesIn(after)];
    const hosts = new Set(Object.entries(old).map(([path, one]) => hostOf(realName(path, one), one)));
    const paths = Object.keys({ ...old, ...now }).filter((path) => path !== "");
    const changed = paths.filter((path) => canonical(old[path] ?? null) !== canonical(now[path] ?? null)).sort();
    const ofTheGate = new Set([...gatePaths(old), ...gatePaths(now)]);
    const changes = changed.map((path) =>
      changeOf(path, old[path], now[path], {
        isOfTheGate: foldersOf(path).some((folder) => ofTheGate.has(folder)),
        hosts: before === undefined ? undefined : hosts,
      }),
    );
    return changes.length > 0 ? changes : [{ words: "no package changes", loosens: false }];
  } catch (error) {
    return [unreadable(error)];
  }
}

const nameOf = (path: string): string =>
  path.includes("node_modules/") ? path.slice(path.lastIndexOf("node_modules/") + 13) : path;

/** Of a package that another one has for itself: which one. */
const within = (path: string): string => {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/"))).replaceAll("node_modules/", "");
  return folder && ` in ${folder}`;
};

/** npm writes it where a package is installed under another name than its own. */
const realName = (path: string, { name }: Locked): string => name ?? nameOf(path);

/** The path itself, and those of the packages that it is installed in. */
function foldersOf(path: string): string[] {
  return [...path.matchAll(/\/node_modules\//g)].map(({ index }) => path.slice(0, index)).concat(path);
}

/** The paths of the gate and of everything that it loads: through `@pulumi/pulumi`, its peer, much of Pulumi's own. */
function gatePaths(packages: Packages): Set<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    const { link, resolved, dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    if (link && resolved !== undefined) visit(resolved);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const at = installedFor(path, name, packages);
      if (at !== undefined) visit(at);
    }
  };
  for (const path of Object.keys(packages)) if (nameOf(path) === gate) visit(path);
  return found;
}

/** Where Node finds a package for another: in the nearest folder of packages, upwards. */
function installedFor(path: string, name: string, packages: Packages): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("node_modules/") - 1))) {
    const candidate = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === "") return undefined;
  }
}

interface Place {
  readonly isOfTheGate: boolean;
  /** Where packages came from before; undefined if there was no lockfile. */
  readonly hosts: ReadonlySet<string> | undefined;
}

function changeOf(path: string, old: Locked | undefined, now: Locked | undefined, place: Place): Change {
  const real = now && realName(path, now) !== nameOf(path) ? ` (${realName(path, now)})` : "";
  const versions = `${nameOf(path)}${real}${within(path)} ${old?.version ?? "(none)"} → ${now?.version ?? "(none)"}`;
  // Where one is missing, Node looks further up.
  const removed = place.isOfTheGate ? ["it is removed, and the pipeline or the program runs it"] : [];
  const why = now ? reasons(path, old, now, place) : removed;
  return { words: why.length > 0 ? `${versions}: ${why.join(", ")}` : versions, loosens: why.length > 0 };
}

function reasons(path: string, old: Locked | undefined, now: Locked, { isOfTheGate, hosts }: Place): string[] {
  const name = realName(path, now);
  const isOurs = isOfTheGate || ofPulumi.test(nameOf(path));
  const from = hostOf(name, now);
  const found: string[] = [];
  if (isOurs) found.push("it runs the pipeline or the program");
  if (!path.startsWith("node_modules/")) found.push("it is in a folder of this repository");
  if (!hasChecksum(now)) found.push("without a checksum (sha512)");
  if (hosts && !hosts.has(from)) found.push(`from ${from}, where no package came from before`);
  if (name !== (old ? realName(path, old) : nameOf(path))) found.push(`it is ${name}, under another name`);
  if (namesAnother(name, now)) found.push("its address names another package or version");
  if (old && old.version === now.version && old.integrity !== now.integrity) found.push("other contents, same version");
  if (now.hasInstallScript && !old?.hasInstallScript) found.push("it has install scripts, which do not run");
  if (now.hasShrinkwrap) found.push("it brings a lockfile of its own, which is not judged");
  const odd = unknownFields(now);
  if (odd.length > 0) found.push(`it has what npm does not write (${odd.join(", ")})`);
  return [...found, ...programReasons(name, now, isOurs)];
}

function programReasons(name: string, now: Locked, isOurs: boolean): string[] {
  const programs = isPlainName(name) ? programsOf(name, now) : undefined;
  if (programs === undefined) return ["its name or its programs are not in the form in which npm writes them"];
  const shadow = isOurs ? [] : programs.filter((program) => tools.test(program));
  return shadow.length > 0 ? [`it brings a program named ${shadow.join(", ")}`] : [];
}

/** Registries say the name in the path, most of them as `/name/-/name-1.2.3.tgz`. */
function namesAnother(name: string, { version, resolved }: Locked): boolean {
  const { protocol, pathname } = addressOf(resolved) ?? {};
  if (pathname === undefined || !/^https?:$/.test(protocol ?? "")) return false;
  const path = decoded(pathname);
  if (!path?.includes("/-/")) return !path?.includes(`/${name}/`);
  return !path.endsWith(`/${name}/-/${name.slice(name.lastIndexOf("/") + 1)}-${version}.tgz`);
}

const addressOf = (resolved = ""): URL | undefined => (URL.canParse(resolved) ? new URL(resolved) : undefined);

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * Of a registry, with what its addresses have before the name: `/@types` is another's, and a host may have several
 * registries. Of what is none, also how it is fetched: what comes from git has no checksum.
 */
function hostOf(name: string, { resolved }: Locked): string {
  if (resolved === undefined) return "an unknown place";
  const { protocol = "", host = "", pathname = "" } = addressOf(resolved) ?? {};
  if (protocol === "") return "a path";
  if (!/^https?:$/.test(protocol)) return `${protocol}${host && `//${host}`}`;
  const path = decoded(pathname) ?? "";
  return host + path.slice(0, Math.max(0, path.lastIndexOf(`/${name}/`)));
}

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
function hasChecksum({ link, integrity = "" }: Locked): boolean {
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

const unknownFields = (entry: Locked): string[] => Object.keys(entry).filter((field) => !fields.has(field));

/** The names of the programs that npm would link; undefined if they are not in the form in which npm writes them. */
function programsOf(name: string, { bin }: Locked): string[] | undefined {
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
const isPlainName = (name: string): boolean => /^(@[\w.-]+\/)?[\w.-]+$/.test(name);
