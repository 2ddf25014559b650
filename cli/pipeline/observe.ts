import { createHash } from "node:crypto";
import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findForge } from "./forge";
import { isGuarded } from "./guarded";
import { installedDigest } from "./installed";
import { forgeKind } from "./place";
import type { Present } from "./plan";
import { Refused, refuse } from "./refused";
import { git, gitAgrees, pulumiOutput } from "./run";

/** What plans are bound to, apart from the state, as it is here and now. */
export async function observe(stack: string): Promise<Present> {
  await requireAsJudged();
  return { stack, ...(await commitOf("HEAD")), ...(await toolchain()) };
}

export async function commitOf(revision: string): Promise<{ readonly commit: string; readonly tree: string }> {
  // What begins with a hyphen would be an option.
  if (!/^\w[\w./-]*$/.test(revision)) throw new Error(`${JSON.stringify(revision)} is not the name of a commit`);
  try {
    const commit = await git("rev-parse", "--verify", "--quiet", `${revision}^{commit}`);
    return { commit, tree: await git("rev-parse", "--verify", `${commit}^{tree}`) };
  } catch {
    throw new Error(`there is no commit ${revision} here; fetch it, without checking it out`);
  }
}

/** What runs the program. */
export async function toolchain(): Promise<Pick<Present, "versions" | "installed">> {
  if (!existsSync("node_modules"))
    throw new Error("there is no node_modules in this folder; run npm ci --ignore-scripts first");
  const versions = {
    "pulumi-dataplatform": versionOf("pulumi-dataplatform"),
    "@pulumi/pulumi": versionOf("@pulumi/pulumi"),
    pulumi: (await pulumiOutput(["version"], "git")).trim(),
  };
  return { versions, installed: installedDigest() };
}

/** What the pipeline writes here itself, and packages, of which plans have a digest. */
const apart = [
  ...["plans", "preview", "reports", "snapshot"].map((name) => `:(exclude)${name}`),
  ":(top,exclude,glob)**/node_modules/**",
];

/**
 * What no commit has, changed or new: the program may read it, and a plan would be bound to other files than those it was
 * made of. What git ignores is not seen.
 */
export async function uncommitted(): Promise<string[]> {
  return (await git("status", "--porcelain", "--untracked-files=all", "--", ":/", ...apart))
    .split("\n")
    .filter(Boolean)
    .map((line) => line.replace(/^\?\? /, "new: ").trim());
}

/** `changes`: at least one. */
export function uncommittedText([first = "", ...others]: readonly string[]): string {
  const more = others.length > 0 ? `, and ${others.length} more` : "";
  const ignoring = [first, ...others].some((one) => one.startsWith("new: "))
    ? ", or name what is new in .gitignore"
    : "";
  return `there are changes that are not committed (${first}${more}): commit first${ignoring}`;
}

function versionOf(name: string): string {
  return String(JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version);
}

/** Whether git would take a new file, where it is to be written. */
export async function isForGit(file: string): Promise<boolean> {
  const path = resolve(file);
  const at = ["-C", dirname(path)];
  const isInside = await gitAgrees(...at, "rev-parse", "--show-toplevel");
  return isInside && !(await gitAgrees(...at, "check-ignore", "--quiet", path));
}

/**
 * What is judged is in git, what the engine and npm read is on the disk. Git may write a file in another form than it
 * keeps it in (.gitattributes, core.autocrlf), and takes it for unchanged: so the files that decide something are
 * compared byte by byte. On one's own machine, what somebody is still editing is not meant; `uncommitted` has it.
 */
export async function requireAsJudged(env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const differing = await differingFiles(forgeKind(env) === undefined ? await edited() : new Set());
  refuse(
    differing.map(
      (path) =>
        `other on disk: ${path} is not what its commit holds; remove what .gitattributes or the settings of git say about it (encoding, filter, ident, eol), and check it out again`,
    ),
  );
}

async function edited(): Promise<ReadonlySet<string>> {
  const status = await git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=no");
  return new Set(status.split("\0").map((line) => line.slice(3)));
}

async function differingFiles(apart: ReadonlySet<string>): Promise<string[]> {
  const root = await git("rev-parse", "--show-toplevel");
  const tree = await git("ls-tree", "-r", "-z", "--full-tree", "HEAD").catch(() => {
    throw new Error("nothing is committed yet, and a plan is for a commit: commit first");
  });
  return tree.split("\0").flatMap((line) => {
    const [, mode = "", id = "", path = ""] = /^(\d+) blob (\w+)\t(.*)$/s.exec(line) ?? [];
    const isMeant = path !== "" && isGuarded(path) && !apart.has(path);
    return isMeant && !isSame(join(root, path), mode, id) ? [path] : [];
  });
}

function isSame(file: string, mode: string, id: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (mode === "120000") return stat?.isSymbolicLink() === true && idOf(Buffer.from(readlinkSync(file)), id) === id;
  if (!stat?.isFile()) return false;
  const bytes = readFileSync(file);
  if (idOf(bytes, id) === id) return true;
  // Git on Windows writes \r\n for \n, which every reader of these files takes for the same.
  return idOf(Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"), id) === id;
}

/** As `git hash-object --no-filters` does, in the repository's form. */
function idOf(bytes: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A repair puts the platform back to what the protected branch says now: not to an older commit, and not to a branch. */
export async function requireHeadOf(branch: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const { commit } = await commitOf("HEAD");
  const newest = forgeKind(env) ? await findForge(env)!.headOf(branch) : await remoteHead(branch);
  if (newest !== commit)
    throw new Refused([`foreign: this is commit ${commit}, and the head of ${branch} is ${newest || "not known"}`]);
}

async function remoteHead(branch: string): Promise<string> {
  const remote = await remoteOf(branch);
  if (remote === undefined) return localHead(branch);
  const line = await git("ls-remote", "--exit-code", remote, `refs/heads/${branch}`).catch((error: Error) => {
    throw new Refused([`not verifiable: the head of ${branch} cannot be read from ${remote}: ${error.message}`]);
  });
  return line.split(/\s/)[0] ?? "";
}

async function localHead(branch: string): Promise<string> {
  const found = await commitOf(`refs/heads/${branch}`).catch(() => undefined);
  if (found) return found.commit;
  throw new Refused([`not verifiable: there is no branch ${branch} here; name the protected one with --branch`]);
}

/** Where the branch is shared. Undefined if the repository has no remote. */
async function remoteOf(branch: string): Promise<string | undefined> {
  const remotes = (await git("remote")).split("\n").filter(Boolean);
  const own = await git("config", "--get", `branch.${branch}.remote`).catch(() => "");
  return [own, "origin", ...remotes].find((name) => remotes.includes(name));
}

/** On one's own machine: what a pull request would be compared with, as far as it was fetched. */
export async function protectedCommit(branch: string): Promise<string | undefined> {
  const remote = await remoteOf(branch);
  for (const ref of [...(remote ? [`refs/remotes/${remote}/${branch}`] : []), `refs/heads/${branch}`]) {
    const found = await commitOf(ref).catch(() => undefined);
    if (found) return found.commit;
  }
  return undefined;
}
