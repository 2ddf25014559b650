import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { isGuarded } from "./guarded";
import { forgeKind } from "./place";
import { refuse } from "./refused";
import { git } from "./run";

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
  const tree = await git("ls-tree", "-r", "-z", "--full-tree", "HEAD");
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
