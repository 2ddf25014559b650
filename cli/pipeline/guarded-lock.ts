import type { Change } from "./guarded-change";
import { canonical } from "./state";

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly bin?: Readonly<Record<string, string>> | string;
}
type Packages = Readonly<Record<string, Locked>>;

/** What runs the gate, or the program with the token. */
const ofTheGate = /^(pulumi-dataplatform|@pulumi\/.+)$/;
/** Programs that pipelines start; ours are in our own package. */
const tools = /^(git|pulumi.*|node|npm|npx|corepack|sh|bash|env|dataplatform.*)$/;

/** Every package that changes, and whether it comes from where packages came from before. */
export function lockChanges(before: string | undefined, after: string | undefined): Change[] {
  try {
    const [old, now] = [packagesIn(before), packagesIn(after)];
    const hosts = new Set(Object.values(old).map(hostOf));
    const paths = Object.keys({ ...old, ...now }).filter((path) => path !== "");
    const changed = paths.filter((path) => canonical(old[path] ?? null) !== canonical(now[path] ?? null)).sort();
    const changes = changed.map((path) =>
      changeOf(path, old[path], now[path], before === undefined ? undefined : hosts),
    );
    return changes.length > 0 ? changes : [{ words: "no package changes", loosens: false }];
  } catch {
    return [{ words: "it cannot be read", loosens: true }];
  }
}

function packagesIn(text: string | undefined): Packages {
  if (text === undefined) return {};
  const { lockfileVersion, packages } = JSON.parse(text) as { lockfileVersion?: number; packages?: Packages };
  if (!packages || (lockfileVersion ?? 0) < 2) throw new Error("a lockfile of npm 6");
  return packages;
}

function changeOf(path: string, old: Locked | undefined, now: Locked | undefined, hosts?: ReadonlySet<string>): Change {
  const name = path.slice(path.lastIndexOf("node_modules/") + (path.includes("node_modules/") ? 13 : 0));
  const versions = `${name} ${old?.version ?? "(none)"} → ${now?.version ?? "(none)"}`;
  const why = now ? reasons(name, old, now, hosts) : [];
  return { words: why.length > 0 ? `${versions}: ${why.join(", ")}` : versions, loosens: why.length > 0 };
}

function reasons(name: string, old: Locked | undefined, now: Locked, hosts?: ReadonlySet<string>): string[] {
  const found: string[] = [];
  if (ofTheGate.test(name)) found.push("it runs the pipeline or the program");
  if (now.link || !now.integrity) found.push("without a checksum");
  if (hosts && !hosts.has(hostOf(now))) found.push(`from ${hostOf(now)}, where no package came from before`);
  if (old && old.version === now.version && old.integrity !== now.integrity) found.push("other contents, same version");
  if (now.hasInstallScript && !old?.hasInstallScript) found.push("it has install scripts, which do not run");
  const bins = typeof now.bin === "object" ? Object.keys(now.bin) : now.bin ? [name] : [];
  const shadow = ofTheGate.test(name) ? [] : bins.filter((bin) => tools.test(bin));
  if (shadow.length > 0) found.push(`it brings a program named ${shadow.join(", ")}`);
  return found;
}

function hostOf({ resolved }: Locked): string {
  if (resolved === undefined) return "an unknown place";
  return URL.canParse(resolved) ? new URL(resolved).host || new URL(resolved).protocol : "a path";
}
