import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** A repository with a protected branch and a change, for tests that read both out of git. */
export class Repository {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "pipeline-repository-")));
  readonly #before = process.cwd();

  constructor() {
    this.git("init", "--quiet", "--initial-branch=main");
    process.chdir(this.folder);
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

  remove(): void {
    process.chdir(this.#before);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A repository for each test, with a commit of these files, if any. To be called where tests are declared. */
export function eachWithCommit(files?: Readonly<Record<string, string>>): { repository: Repository; base: string } {
  const at = {} as { repository: Repository; base: string };
  beforeEach(() => {
    at.repository = new Repository();
    if (files) at.base = at.repository.commit(files);
  });
  afterEach(() => at.repository.remove());
  return at;
}
