import { readGuarded, Unreadable } from "./guarded-text";
import { canonical } from "./state";

export type Settings = Readonly<Record<string, unknown>>;

/** What one file's change does, in words. */
export interface Change {
  readonly words: string;
  /** Whether it may loosen what guards the platform, and so needs an approval of its own. */
  readonly loosens: boolean;
}

/** What is compared, and the project that it is of. */
export interface Subject {
  readonly path: string;
  readonly project: string;
}

/** `Pulumi.yaml`: which program runs, and how. Some keys only describe it. */
export const projectChanges = changesBut("description", "author", "website", "license");

/**
 * `package.json`: npm lets it say what a command's name means (`bin`, `workspaces`) and which packages are installed in
 * the place of others (`overrides`). The lockfile shows what comes of its dependencies, and scripts do not run.
 */
export const packageChanges = changesBut(
  ...["name", "version", "description", "keywords", "author", "contributors", "license"],
  ...["homepage", "repository", "bugs"],
  ...["private", "type", "main", "types", "exports", "files", "engines", "scripts"],
  ...["dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "peerDependenciesMeta"],
);

function changesBut(...harmless: readonly string[]) {
  return (before: string | undefined, after: string | undefined, { path }: Subject): Change[] =>
    compared(path, [before, after], (old, now) =>
      changedKeys(old, now).map((key) => ({
        words: `\`${key}\` ${verb(old, now, key)}`,
        loosens: !harmless.includes(key),
      })),
    );
}

/**
 * `Pulumi.<stack>.yaml`: the program's own settings are what pull requests change; the plan shows what comes of it. All
 * others, such as the platform's address and the stack's encryption, are not theirs.
 */
export function stackChanges(before: string | undefined, after: string | undefined, subject: Subject): Change[] {
  const { path, project } = subject;
  return compared(path, [before, after], (old, now) => {
    const others = changedKeys(old, now)
      .filter((key) => key !== "config")
      .map((key) => ({ words: `\`${key}\` ${verb(old, now, key)}`, loosens: true }));
    const [was, is] = [settingsIn(old["config"]), settingsIn(now["config"])];
    return [
      ...others,
      ...changedKeys(was, is).map((key) => {
        const full = fullKey(key, project);
        // Also of a project that is named like the provider.
        const isOwn = full.startsWith(`${project}:`) && !full.startsWith("dataplatform:");
        return { words: `\`${key}\` ${isOwn ? verb(was, is, key) : values(was, is, key)}`, loosens: !isOwn };
      }),
    ];
  });
}

/** `name` and `project:config:name` are other spellings of `project:name`. */
export function fullKey(key: string, project: string): string {
  return key.includes(":") ? key.replace(/^([^:]*):config:/, "$1:") : `${project}:${key}`;
}

function compared(
  path: string,
  texts: readonly (string | undefined)[],
  compare: (old: Settings, now: Settings) => Change[],
): Change[] {
  try {
    const [old, now] = texts.map((text) => (text === undefined ? {} : settingsIn(readGuarded(path, text))));
    const changes = compare(old!, now!);
    return changes.length > 0 ? changes : [{ words: "its form changes, and no setting", loosens: false }];
  } catch (error) {
    return [unreadable(error)];
  }
}

/** What is read by others all the same may do anything. */
export function unreadable(error: unknown): Change {
  if (!(error instanceof Unreadable)) throw error;
  return { words: `it cannot be read: ${error.message}`, loosens: true };
}

export function settingsIn(value: unknown): Settings {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new Unreadable("it is not a map of settings");
  return value as Settings;
}

function changedKeys(old: Settings, now: Settings): string[] {
  const text = (value: unknown): string => canonical(value ?? null);
  return Object.keys({ ...old, ...now }).filter((key) => text(old[key]) !== text(now[key]));
}

function verb(old: Settings, now: Settings, key: string): string {
  return old[key] === undefined ? "is added" : now[key] === undefined ? "is removed" : "changes";
}

/** Encrypted values are objects, and not shown. */
function values(old: Settings, now: Settings, key: string): string {
  const shown = (value: unknown): string =>
    value === undefined ? "not set" : typeof value === "object" ? "…" : JSON.stringify(value);
  return `changes from ${shown(old[key])} to ${shown(now[key])}`;
}
