import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Ran, root, run } from "./engine";

/**
 * A folder of its own whose files are hard links: quick, and an `npm ci` in the copy cannot empty the original, as it
 * would through a link to the folder.
 */
function linkFiles(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFiles(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target); // the temporary folder is on another disk
  }
}

/** The last two: another test may be building the site. */
const leftOut = [
  ".git",
  "node_modules",
  "release",
  "coverage",
  ".pulumi",
  "tools/site/node_modules",
  "tools/site/.vitepress",
];

/** The project as it is now, in a repository of its own where everything is committed, as somebody has who cloned it. */
export class ProjectCopy {
  /** Holds nothing but the copy. */
  readonly around = realpathSync(mkdtempSync(join(tmpdir(), "dataplatform-project-")));
  readonly folder = join(this.around, "pulumi-dataplatform");

  constructor() {
    const isWanted = (path: string) => !leftOut.includes(relative(root, path)) && !path.endsWith(".log");
    cpSync(root, this.folder, { recursive: true, filter: isWanted, preserveTimestamps: true });
    linkFiles(join(root, "node_modules"), join(this.folder, "node_modules"));
    this.git("init", "--quiet");
    this.commit("As it is");
  }

  git(...args: readonly string[]): string {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
    return execFileSync("git", [...who, ...args], { cwd: this.folder, encoding: "utf8" });
  }

  commit(message: string): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
  }

  status(): string {
    return this.git("status", "--porcelain").trim();
  }

  /** What `npm run release` runs. */
  release(...args: readonly string[]): Promise<Ran> {
    return run(process.execPath, ["tools/release.mjs", ...args], { cwd: this.folder, env: process.env });
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, path));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  edit(path: string, change: (text: string) => string): void {
    const before = this.read(path);
    const after = change(before);
    if (after === before) throw new Error(`nothing was changed in ${path}`);
    writeFileSync(join(this.folder, path), after);
  }

  remove(): void {
    rmSync(this.around, { recursive: true, force: true, maxRetries: 5 });
  }
}
