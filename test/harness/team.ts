import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineFolder, type Ran, root, run } from "./engine";
import { Forge, type ForgeKind } from "./forge";
import type { PlatformAt } from "./in-process";
import { type KeyService, keyService } from "./key-service";
import { environment, linkPackages, readOr } from "./stack";

export interface Piped extends Ran {
  /** What the step wrote to reports/. */
  readonly report: string;
}

const command = join(root, "dist/cli/main.js");

export const planKey = "a key that only the jobs of the pipeline have";

/** A copy of examples/gitops in its own repository, and runners that check it out and run its pipeline. */
export class Team {
  readonly folder = mkdtempSync(join(tmpdir(), "dataplatform-gitops-"));
  readonly #origin = join(this.folder, "origin.git");
  readonly #desk = join(this.folder, "desk");
  #runners = 0;

  private constructor(
    private readonly platform: PlatformAt,
    readonly forge: Forge,
    private readonly keys: KeyService,
  ) {}

  /** The one-time set-up: copies the example, sets the addresses, and creates the stack. */
  static async start(platform: PlatformAt): Promise<Team> {
    const team = new Team(platform, await Forge.start(), await keyService());
    mkdirSync(join(team.folder, "state"));
    mkdirSync(team.#desk);
    git(team.folder, "init", "--quiet", "--bare", "--initial-branch=main", team.#origin);
    git(team.#desk, "init", "--quiet", "--initial-branch=main");
    git(team.#desk, "remote", "add", "origin", team.#origin);
    cpSync(join(root, "examples/gitops"), team.#desk, { recursive: true });
    team.#edit((text) => text.replace(/http:\/\/127\.0\.0\.1:4010/, platform.url));
    const made = await run(join(engineFolder(), "pulumi"), ["stack", "init", "dev", "--non-interactive"], {
      cwd: team.#desk,
      env: team.#environment(team.#desk),
    });
    if (made.code !== 0) throw new Error(`pulumi stack init failed: ${made.stderr}`);
    team.#edit((text) => text.replace(/^encryptionsalt:.*$/m, team.keys.config));
    team.#commit("Start", "main");
    return team;
  }

  /** Commits a change to Pulumi.dev.yaml on a branch, and pushes it. */
  propose(branch: string, edit: (config: string) => string): void {
    git(this.#desk, "switch", "--quiet", "--create", branch, "main");
    this.#edit(edit);
    this.#commit(`Change for ${branch}`, branch);
  }

  /** Puts a branch on main, with a merge commit or as one commit of its own. */
  merge(branch: string, how: "merge" | "squash" = "merge"): void {
    git(this.#desk, "switch", "--quiet", "main");
    if (how === "merge") git(this.#desk, "merge", "--quiet", "--no-ff", "--no-edit", branch);
    else {
      git(this.#desk, "merge", "--quiet", "--squash", branch);
      git(this.#desk, "commit", "--quiet", "--message", `Squashed ${branch}`);
    }
    git(this.#desk, "push", "--quiet", "origin", "main");
  }

  /** The tree of what is on main. */
  tree(branch = "main"): string {
    return git(this.#desk, "rev-parse", `${branch}^{tree}`).trim();
  }

  /** Runs a pipeline step on a fresh checkout, as every runner does: of GitHub with the branch merged into main. */
  async pipeline(
    step: string,
    branch = "main",
    env: NodeJS.ProcessEnv = {},
    kind: ForgeKind = "github",
  ): Promise<Piped> {
    const folder = join(this.folder, `runner-${this.#runners++}`);
    const merges = kind === "github" && branch !== "main";
    git(this.folder, "clone", "--quiet", "--branch", merges ? "main" : branch, this.#origin, folder);
    if (merges) git(folder, "merge", "--quiet", "--no-ff", "--no-edit", `origin/${branch}`);
    linkPackages(folder);
    const output = join(folder, "reports-output");
    const job = { ...this.forge.variables(kind, step), PLAN_KEY: planKey, GITHUB_OUTPUT: output };
    const ran = await run(process.execPath, [command, "pipeline", step, "dev"], {
      cwd: folder,
      env: { ...this.#environment(folder), ...job, ...env },
    });
    const [, plan] = /^plan=(.+)$/m.exec(readOr(output, "")) ?? [];
    if (plan) this.forge.upload(plan, readOr(join(folder, "plans/dev.json"), ""));
    return { ...ran, report: readOr(join(folder, `reports/${step}-dev.md`), "") };
  }

  /** Previews a branch and, if that succeeds, carries out its plan. */
  async deploy(branch = "main"): Promise<Piped> {
    const preview = await this.pipeline("preview", branch);
    return preview.code === 0 ? this.pipeline("apply", branch) : preview;
  }

  async remove(): Promise<void> {
    await this.forge.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #environment(folder: string): NodeJS.ProcessEnv {
    const { PULUMI_DEBUG_COMMANDS: _, ...env } = environment(folder, { token: this.platform.tokens["admin"]! });
    return {
      ...env,
      ...this.keys.env,
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}`,
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      CI: "true",
    };
  }

  #edit(edit: (config: string) => string): void {
    const file = join(this.#desk, "Pulumi.dev.yaml");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
  }

  #commit(message: string, branch: string): void {
    git(this.#desk, "add", "--all", "--", ".", ":!home");
    git(this.#desk, "commit", "--quiet", "--message", message);
    git(this.#desk, "push", "--quiet", "origin", branch);
  }
}

function git(cwd: string, ...args: readonly string[]): string {
  const person = { name: "A Person", email: "person@example.com" };
  return execFileSync("git", args, {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: person.name,
      GIT_AUTHOR_EMAIL: person.email,
      GIT_COMMITTER_NAME: person.name,
      GIT_COMMITTER_EMAIL: person.email,
    },
  });
}
