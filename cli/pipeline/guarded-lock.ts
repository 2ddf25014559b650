import type { Change } from "./guarded-change";
import { settingsIn, unreadable } from "./guarded-config";
import { readJson, Unreadable } from "./guarded-text";
import { canonical } from "./state";

interface Locked {
  /** Of a package that is installed under another name. */
  readonly name?: string;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>> | string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
type Packages = Readonly<Record<string, Locked>>;

const gate = "pulumi-dataplatform";
/** What runs the program with the token. */
const ofPulumi = /^@pulumi\//;
/** Programs that pipelines start; ours are in our own package. */
const tools = /^(git|pulumi.*|node|npm|npx|corepack|sh|bash|env|dataplatform.*)$/;

/** Every package that changes, and whether it comes from where packages came from before. */
export function lockChanges(before: string | undefined, after: string | undefined): Change[] {
  try {
    const [old, now] = [packagesIn(before), packagesIn(after)];
    const hosts = new Set(Object.values(old).map(hostOf));
    const paths = Object.keys({ ...old, ...now }).filter((path) => path !== "");
    const changed = paths.filter((path) => canonical(old[path] ?? null) !== canonical(now[path] ?? null)).sort();
    const ofTheGate = new Set([...gatePaths(old), ...gatePaths(now)]);
    const changes = changed.map((path) =>
      changeOf(path, old[path], now[path], {
        isOfTheGate: ofTheGate.has(path) || ofPulumi.test(nameOf(path)),
        hosts: before === undefined ? undefined : hosts,
      }),
    );
    return changes.length > 0 ? changes : [{ words: "no package changes", loosens: false }];
  } catch (error) {
    return [unreadable(error)];
  }
}

function packagesIn(text: string | undefined): Packages {
  if (text === undefined) return {};
  const { lockfileVersion, packages } = settingsIn(readJson(text)) as { lockfileVersion?: number; packages?: Packages };
  if (!packages || (lockfileVersion ?? 0) < 2) throw new Unreadable("it is not a lockfile of npm 7 or later");
  return packages;
}

const nameOf = (path: string): string =>
  path.includes("node_modules/") ? path.slice(path.lastIndexOf("node_modules/") + 13) : path;

/** The paths of the gate and of everything that it loads. */
function gatePaths(packages: Packages): Set<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
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
  const name = nameOf(path);
  const versions = `${name} ${old?.version ?? "(none)"} → ${now?.version ?? "(none)"}`;
  const why = now ? reasons(name, old, now, place) : [];
  return { words: why.length > 0 ? `${versions}: ${why.join(", ")}` : versions, loosens: why.length > 0 };
}

function reasons(name: string, old: Locked | undefined, now: Locked, { isOfTheGate, hosts }: Place): string[] {
  const found: string[] = [];
  if (isOfTheGate) found.push("it runs the pipeline or the program");
  if (now.link || !now.integrity) found.push("without a checksum");
  if (hosts && !hosts.has(hostOf(now))) found.push(`from ${hostOf(now)}, where no package came from before`);
  if (namesAnother(now.name ?? name, now)) found.push("its address names another package or version");
  if (old && old.version === now.version && old.integrity !== now.integrity) found.push("other contents, same version");
  if (now.hasInstallScript && !old?.hasInstallScript) found.push("it has install scripts, which do not run");
  const bins = typeof now.bin === "object" ? Object.keys(now.bin) : now.bin ? [name] : [];
  const shadow = isOfTheGate ? [] : bins.filter((bin) => tools.test(bin));
  if (shadow.length > 0) found.push(`it brings a program named ${shadow.join(", ")}`);
  return found;
}

/** Registries say the name in the path, most of them as `/name/-/name-1.2.3.tgz`. */
function namesAnother(name: string, { version, resolved = "" }: Locked): boolean {
  if (!/^https?:/.test(resolved) || !URL.canParse(resolved)) return false;
  const path = decodeURIComponent(new URL(resolved).pathname);
  if (!path.includes("/-/")) return !path.includes(`/${name}/`);
  return !path.endsWith(`/${name}/-/${name.slice(name.lastIndexOf("/") + 1)}-${version}.tgz`);
}

function hostOf({ resolved }: Locked): string {
  if (resolved === undefined) return "an unknown place";
  return URL.canParse(resolved) ? new URL(resolved).host || new URL(resolved).protocol : "a path";
}
