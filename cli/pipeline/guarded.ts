import type { OptionTypes } from "../../policies/rule";
import { mayBeProfile, mostProfileBytes } from "../../provider/api/profile";
import { type Change, packageChanges, projectChanges, type Subject, stackChanges } from "./guarded-config";
import { lockChanges } from "./guarded-lock";
import { approvalVariable, verifyKeyFile } from "./place";
import { isWeaker, readRules } from "./rules";
import { filesWith, git } from "./run";
import { canonical, sha256 } from "./state";

/** A changed file that decides what a pipeline does, or what it is allowed to. */
export interface Guarded {
  readonly path: string;
  readonly changes: readonly Change[];
  /** Ids of its contents in git. */
  readonly blobs: string;
}

type Compare = (before: string | undefined, after: string | undefined, subject: Subject) => readonly Change[];

/** By path; the first that fits. In any case of letters: some file systems know none. */
const guards: readonly (readonly [path: RegExp, compare: Compare])[] = [
  [/(^|\/)policies\.json$/i, ruleChanges],
  [/(^|\/)(package-lock|npm-shrinkwrap)\.json$/i, lockChanges],
  [/(^|\/)package\.json$/i, packageChanges],
  [/(^|\/)Pulumi\.(ya?ml|json)$/i, projectChanges],
  [/(^|\/)Pulumi\.[^/]+\.(ya?ml|json)$/i, stackChanges],
  [/^\.github\/|^\.gitlab\/|(^|\/)\.gitlab-ci\.ya?ml$/i, anyChange("decides what runs with which secrets")],
  [/(^|\/)\.npmrc$/i, anyChange("decides where packages come from, and whether their scripts run")],
  [
    /(^|\/)(yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|requirements[^/]*\.txt|pyproject\.toml|(uv|poetry|Pipfile)\.lock|Pipfile|go\.(mod|sum|work)|pom\.xml|build\.gradle(\.kts)?|packages\.lock\.json|[^/]+\.(cs|fs|vb)proj)$/i,
    anyChange("decides which packages run, and is not judged"),
  ],
  [/\.(tgz|tar|tar\.gz)$/i, anyChange("is a package that is installed from this repository")],
  [/^(docs\/)?CODEOWNERS$/i, anyChange("decides who must review")],
  [/^\.gitmodules$/i, anyChange("brings files of other repositories")],
  [/(^|\/)\.(gitattributes|lfsconfig)$/i, anyChange("decides in which form files are written to the disk")],
  [new RegExp(`(^|/)${verifyKeyFile.replace(".", "\\.")}$`, "i"), anyChange("says whose plans are applied")],
  [
    /^(preview|snapshot|plans|reports)\/|(^|\/)(preview|snapshot|plans?|reports)(\.env)?$|(^|\/)node_modules(\/|$)/i,
    anyChange("is where jobs put what they read, write and run"),
  ],
];

export const isGuarded = (path: string): boolean => guards.some(([pattern]) => pattern.test(path));

function anyChange(why: string): Compare {
  return (before, after) => [
    {
      words: `${before === undefined ? "added" : after === undefined ? "removed" : "changed"}: it ${why}`,
      loosens: true,
    },
  ];
}

/** Reads both versions out of git; nothing is checked out. */
export async function guardedChanges(base: string, head: string, project: string): Promise<Guarded[]> {
  const raw = await git("diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", base, head);
  const fields = raw.split("\0");
  const named = new Set(await filesWith(profileMarks, base, head));
  const found: Guarded[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modes = "", path = ""] = [fields[at], fields[at + 1]];
    const [oldMode, newMode, old = "", now = ""] = modes.slice(1).split(" ");
    const isSubmodule = [oldMode, newMode].includes("160000");
    const guard = isSubmodule ? () => [] : guards.find(([pattern]) => pattern.test(path))?.[1];
    // git searches no links, and where a system has none, they are files.
    const mayBe = (commit: string, mode = ""): boolean => mode === "120000" || named.has(`${commit}:${path}`);
    const isOne = async (): Promise<boolean> =>
      (mayBe(base, oldMode) && (await isProfile(old))) || (mayBe(head, newMode) && (await isProfile(now)));
    const compare = guard ?? ((await isOne()) ? profileChange : undefined);
    if (!compare) continue;
    const isPlain = [oldMode, newMode].every((mode) => /^(100644|000000)$/.test(mode ?? ""));
    const changes = !isPlain
      ? [{ words: "is a link, a program or a submodule now, or was one", loosens: true }]
      : (await isLarge(old)) || (await isLarge(now))
        ? [{ words: "it cannot be read: it is too large", loosens: true }]
        : compare(await textOf(old), await textOf(now), { path, project });
    found.push({ path, changes, blobs: `${modes.slice(1)}` });
  }
  return found;
}

const profileChange = anyChange(
  "says in which form requests are sent, so that they may do something else than the plan says",
);

/** One of these is in every profile: its key as it is, or spelled with escapes. */
const profileMarks = ['"requests"', "\\u00"];

/** A file of any name can be one. */
async function isProfile(blob: string): Promise<boolean> {
  if (isNone(blob) || Number(await git("cat-file", "-s", blob)) > mostProfileBytes) return false;
  return mayBeProfile((await textOf(blob)) ?? "");
}

const mostBytes = 20_000_000;

const isNone = (blob: string): boolean => /^0+$/.test(blob);

async function isLarge(blob: string): Promise<boolean> {
  return !isNone(blob) && Number(await git("cat-file", "-s", blob)) > mostBytes;
}

async function textOf(blob: string): Promise<string | undefined> {
  return isNone(blob) ? undefined : git("cat-file", "blob", blob);
}

export const isLoosening = ({ changes }: Guarded): boolean => changes.some(({ loosens }) => loosens);

/** What a person approves: exactly these contents of exactly these files. Undefined if nothing is loosened. */
export function looseningDigest(guarded: readonly Guarded[]): string | undefined {
  const loosening = guarded.filter(isLoosening);
  if (loosening.length === 0) return undefined;
  return sha256(canonical(loosening.map(({ path, blobs }) => [path, blobs]))).slice(0, 32);
}

/** Digests that somebody has approved. */
export function approvals(env: NodeJS.ProcessEnv = process.env): string[] {
  return (env[approvalVariable] ?? "").split(/[\s,]+/).filter((one) => one !== "" && one !== "none");
}

export const isApproved = (digest: string, env?: NodeJS.ProcessEnv): boolean => approvals(env).includes(digest);

/** Options can go either way, so a change of one counts as loosening. */
function optionChanges(rule: string, was: OptionTypes, is: OptionTypes): Change[] {
  const shown = (value: unknown): string => (value === undefined ? "not set" : canonical(value));
  return Object.keys({ ...was, ...is })
    .filter((name) => canonical(was[name]) !== canonical(is[name]))
    .map((name) => ({
      words: `${rule}: ${name}: ${shown(was[name])} → ${shown(is[name])}, which may be stricter or weaker`,
      loosens: true,
    }));
}

function ruleChanges(before: string | undefined, after: string | undefined): Change[] {
  try {
    const [old, now] = [readRules(before), readRules(after)];
    const changes = [...now].flatMap(([name, { level, options }]): Change[] => {
      const was = old.get(name)!;
      const words = `${name}: ${was.level} → ${level}`;
      const levels = was.level === level ? [] : [{ words, loosens: isWeaker(level, was.level) }];
      return [...levels, ...optionChanges(name, was.options, options)];
    });
    return changes.length > 0 ? changes : [{ words: "its form changes, and no rule", loosens: false }];
  } catch (error) {
    return [{ words: (error as Error).message, loosens: true }];
  }
}
