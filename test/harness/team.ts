import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { newKeys } from "../../cli/pipeline/keys";
import { compileProgram } from "./compile";
import { engineFolder, type Ran, root, run } from "./engine";
import { Forge, type ForgeKind } from "./forge";
import type { PlatformAt } from "./in-process";
import { type KeyService, keyService } from "./key-service";
import { shared } from "./shared";
import { environment, linkPackages, readOr } from "./stack";

export interface Piped extends Ran {
  /** What the step wrote to reports/. */
  readonly report: string;
}

const command = join(root, "dist/cli/main.js");

export const keys = newKeys();

export interface Job {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly kind?: ForgeKind;
  readonly onOutput?: (text: string) => void;
}

export interface Preview extends Job {
  /** Called before what the program wrote is judged: with its folder and the one with what it wrote, for an attacker. */
  readonly between?: (at: { head: string; previewed: string }) => unknown;
}

/** A copy of examples/gitops in its own repository, and runners that check it out and run its pipeline. */
export class Team {
  readonly folder = mkdtempSync(join(tmpdir(), "dataplatform-gitops-"));
  readonly #origin = join(this.folder, "origin.git");
  /** A clone in which a person works. */
  readonly desk = join(this.folder, "desk");
  /** First on the PATH: a `node` that starts as in all test stacks, because the pipeline passes no NODE_OPTIONS on. */
  readonly #tools = join(this.folder, "bin");
  #runners = 0;

  private constructor(
    private readonly platform: PlatformAt,
    readonly forge: Forge,
    private readonly keys: KeyService,
    private readonly isCompiled: boolean,
  ) {}

  /**
   * The one-time set-up: copies the example, sets the addresses, and creates the stack. `isCompiled`: the programs of
   * the example and of all changes are JavaScript, so that no run has to load the compiler.
   */
  static async start(platform: PlatformAt, { isCompiled = false } = {}): Promise<Team> {
    const team = new Team(platform, await Forge.start(), await keyService(), isCompiled);
    mkdirSync(join(team.folder, "state"));
    mkdirSync(team.desk);
    mkdirSync(team.#tools);
    const quick = `exec "${process.execPath}" --require "${root}test/harness/quick-start.js" "$@"`;
    writeFileSync(join(team.#tools, "node"), `#!/bin/sh\n${quick}\n`, { mode: 0o755 });
    git(team.folder, "init", "--quiet", "--bare", "--initial-branch=main", team.#origin);
    git(team.desk, "init", "--quiet", "--initial-branch=main");
    git(team.desk, "remote", "add", "origin", team.#origin);
    cpSync(join(root, "examples/gitops"), team.desk, { recursive: true });
    linkPackages(team.desk);
    if (isCompiled) compileProgram(team.desk);
    team.#edit((text) => text.replace(/http:\/\/127\.0\.0\.1:4010/, platform.url));
    const made = await run(join(engineFolder(), "pulumi"), ["stack", "init", "dev", "--non-interactive"], {
      cwd: team.desk,
      env: team.#environment(team.folder),
    });
    if (made.code !== 0) throw new Error(`pulumi stack init failed: ${made.stderr}`);
    team.#edit((text) => text.replace(/^encryptionsalt:.*$/m, team.keys.config));
    team.#commit("Start", "main");
    return team;
  }

  /** Commits a change to Pulumi.dev.yaml, and other files, on a branch, and pushes it. */
  propose(branch: string, edit: (config: string) => string, files: Readonly<Record<string, string>> = {}): void {
    git(this.desk, "switch", "--quiet", "--create", branch, "main");
    this.#edit(edit);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(this.desk, path), text);
    if (this.isCompiled) compileProgram(this.desk);
    this.#commit(`Change for ${branch}`, branch);
  }

  /** Puts a branch on main, with a merge commit or as one commit of its own. */
  merge(branch: string, how: "merge" | "squash" = "merge"): void {
    git(this.desk, "switch", "--quiet", "main");
    if (how === "merge") git(this.desk, "merge", "--quiet", "--no-ff", "--no-edit", branch);
    else {
      git(this.desk, "merge", "--quiet", "--squash", branch);
      git(this.desk, "commit", "--quiet", "--message", `Squashed ${branch}`);
    }
    git(this.desk, "push", "--quiet", "origin", "main");
  }

  /** Holds the stack as another run does, until it is called. */
  lock(): () => void {
    const folder = join(this.folder, "state/.pulumi/locks/organization/platform/dev");
    mkdirSync(folder, { recursive: true });
    const file = join(folder, "7d3c1d9e-0000-4000-8000-000000000000.json");
    writeFileSync(file, JSON.stringify({ pid: 1, username: "other", hostname: "runner", timestamp: new Date() }));
    return () => rmSync(file, { force: true });
  }

  /** Writes the state as whoever has access to the backend can. */
  editState(edit: (text: string) => string): void {
    const file = join(this.folder, "state/.pulumi/stacks/platform/dev.json");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
  }

  /** The tree of what is on main. */
  tree(branch = "main"): string {
    return git(this.desk, "rev-parse", `${branch}^{tree}`).trim();
  }

  /** Runs a step on a fresh checkout, as every runner does. */
  async pipeline(step: string, { args = [], env = {}, kind = "github", onOutput }: Job = {}): Promise<Piped> {
    return this.#step(this.#runner("main"), step, args, { ...this.#trusted(kind), ...env }, onOutput);
  }

  /** What the jobs of a pull request do: a copy of the state, the branch's program on it, the judgement of main. */
  async preview(branch = "main", { env = {}, kind = "github", args = [], between }: Preview = {}): Promise<Piped> {
    const trusted = { ...this.#trusted(kind, true), ...env };
    const base = this.#runner("main");
    const copied = await this.#step(base, "snapshot", args.includes("--repair") ? ["--repair"] : [], trusted);
    if (copied.code !== 0) return copied;
    const head = this.#runner(branch);
    const snapshot = join(base, "snapshot/dev.json");
    // GitHub's job downloads it; on GitLab, `seal` itself asks for it.
    const previewed = join(kind === "github" ? base : head, "preview/dev");
    const ran = await this.#step(head, "preview", ["--snapshot", snapshot, "--output", previewed], {
      ...this.#untrusted(head),
      ...env,
    });
    if (ran.code !== 0) return ran;
    this.forge.previewed = previewed;
    await between?.({ head, previewed });
    const commit = git(head, "rev-parse", "HEAD").trim();
    const pull = kind === "github" ? ["--pull", "12"] : [];
    const sealed = await this.#step(base, "seal", ["--head", commit, ...pull, ...args], {
      ...trusted,
      DATAPLATFORM_SIGNING_KEY: keys.signing,
      ...env,
    });
    const [, plan] = /^plan=(.+)$/m.exec(readOr(`${base}-output`, "")) ?? [];
    if (plan) this.forge.upload(plan, readOr(join(base, "plans/dev.json"), ""));
    return { ...sealed, stdout: copied.stdout + ran.stdout + sealed.stdout };
  }

  /** Finds the plan of a branch and carries it out. */
  async apply({ repair, ...job }: Job & { readonly id?: string; readonly repair?: boolean } = {}): Promise<Piped> {
    const wanted = { ...job, args: repair ? ["--repair"] : [] };
    const found = job.id === undefined ? await this.pipeline("find", wanted) : undefined;
    if (found && found.code !== 0) return found;
    const id = job.id ?? found!.stdout.trim().split("\n")[0]!;
    return this.pipeline("apply", { ...job, args: ["--plan", id, ...(job.args ?? [])] });
  }

  /** A step at the desk, without a forge. */
  async atDesk(step: string, env: NodeJS.ProcessEnv = {}, ...args: readonly string[]): Promise<Piped> {
    return this.#step(this.desk, step, args, { ...this.#environment(this.folder), ...env });
  }

  #runner(branch: string): string {
    const folder = join(this.folder, `runner-${this.#runners++}`);
    git(this.folder, "clone", "--quiet", "--branch", branch, this.#origin, folder);
    linkPackages(folder);
    return folder;
  }

  async #step(
    cwd: string,
    step: string,
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    onOutput?: (text: string) => void,
  ): Promise<Piped> {
    this.forge.head = git(this.desk, "rev-parse", "main").trim();
    const ran = await run(process.execPath, [command, "pipeline", step, "dev", ...args], {
      cwd,
      env: { ...env, GITHUB_OUTPUT: `${cwd}-output` },
      ...(onOutput ? { onOutput } : {}),
    });
    return { ...ran, report: readOr(join(cwd, `reports/${step}-dev.md`), "") };
  }

  #trusted(kind: ForgeKind, isPull = false): NodeJS.ProcessEnv {
    const verify = { DATAPLATFORM_VERIFY_KEY: keys.verify };
    return { ...this.#environment(this.folder), ...this.forge.variables(kind, isPull), ...verify };
  }

  /** Without the backend, any key, and any token of the forge. */
  #untrusted(folder: string): NodeJS.ProcessEnv {
    const { PULUMI_BACKEND_URL: _, ...env } = this.#environment(folder);
    return { ...env, GITHUB_ACTIONS: "true" };
  }

  async remove(): Promise<void> {
    await this.forge.close();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #environment(folder: string): NodeJS.ProcessEnv {
    const {
      PULUMI_DEBUG_COMMANDS: _,
      NODE_OPTIONS: __,
      ...env
    } = environment(folder, {
      token: this.platform.tokens["admin"]!,
    });
    return {
      ...env,
      PATH: `${this.#tools}${delimiter}${env["PATH"]}`,
      DATAPLATFORM_TOKEN_HOSTS: new URL(this.platform.url).host,
      ...this.keys.env,
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}`,
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
  }

  #edit(edit: (config: string) => string): void {
    const file = join(this.desk, "Pulumi.dev.yaml");
    writeFileSync(file, edit(readFileSync(file, "utf8")));
  }

  #commit(message: string, branch: string): void {
    git(this.desk, "add", "--all");
    git(this.desk, "commit", "--quiet", "--message", message);
    git(this.desk, "push", "--quiet", "origin", branch);
  }
}

/** Who commits, whatever the settings of the machine. */
export const person = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A Person",
  GIT_AUTHOR_EMAIL: "person@example.com",
  GIT_COMMITTER_NAME: "A Person",
  GIT_COMMITTER_EMAIL: "person@example.com",
};

export function git(cwd: string, ...args: readonly string[]): string {
  const env = { PATH: process.env["PATH"], HOME: cwd, ...person };
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env });
}

/** One for the tests of a file. To be called where tests are declared. */
export const sharedTeam = (platform: PlatformAt): Team => shared(() => Team.start(platform, { isCompiled: true }));

/** The program of the example. */
export const program = readFileSync(join(root, "examples/gitops/index.ts"), "utf8");
/** With a resource for each address, as in older copies of the example; and with every one of them marked as a secret. */
export const singles = program
  .replace("const logins = ", "")
  .replace(/new dataplatform\.IpWhitelist\([\s\S]*?\n\}\);/, (_) =>
    [
      'const own = { ...config.requireObject<Record<string, string>>("addresses"), vpn };',
      "for (const [name, ipCidr] of Object.entries(own)) new dataplatform.WhitelistedIp(name, { ipCidr });",
    ].join("\n"),
  )
  .replace("export const whitelist = logins.id;\n", "");
export const hiding = singles.replace("{ ipCidr }", "{ ipCidr: pulumi.secret(ipCidr) }");
export const unchanged = (config: string): string => config;
