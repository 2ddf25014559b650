import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { ownFolder } from "../../harness/folders";

/** A repository with a protected branch and a change, for tests that read both out of git. */
class Repository {
  readonly folder = ownFolder();

  constructor() {
    this.git("init", "--quiet", "--initial-branch=main");
  }

  git(...args: readonly string[]): string {
    const who = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
    return execFileSync("git", [...who, ...args], { cwd: this.folder, encoding: "utf8", stdio: "pipe" }).trim();
  }

  /** Commits these files; `undefined` removes one. */
  commit(files: Readonly<Record<string, string | undefined>>): string {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      if (text === undefined) rmSync(file);
      else writeFileSync(file, text);
    }
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "change");
    return this.git("rev-parse", "HEAD");
  }
}

/** A repository for each test, which runs in it, with a commit of these files, if any. To be called where tests are declared. */
export function eachWithCommit(files?: Readonly<Record<string, string>>): { repository: Repository; base: string } {
  const at = {} as { repository: Repository; base: string };
  const before = process.cwd();
  beforeEach(() => {
    at.repository = new Repository();
    process.chdir(at.repository.folder);
    if (files) at.base = at.repository.commit(files);
  });
  afterEach(() => process.chdir(before));
  return at;
}
