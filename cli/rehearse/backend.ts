import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { tokenHostsVariable } from "../../provider/api/settings";
import { pulumi, type RunOptions, tryPulumi } from "../pulumi/run";
import { readState, type StackConfig, type State, type WholeExport } from "../pulumi/stack";
import { inPlaceOf, type Redirection } from "./providers";

export interface Original {
  readonly cwd: string;
  readonly project: string;
  readonly stack: string;
  readonly config: StackConfig;
}

/**
 * A copy of a stack in a backend of its own, with a passphrase that nobody else knows. The program runs where it is, but
 * with another backend, home and configuration file, so that nothing of the original stack is written.
 */
export class TemporaryStack {
  readonly #folder: string;
  readonly #original: Original;
  readonly #options: Required<Pick<RunOptions, "env" | "signal">>;
  readonly #redirection: Redirection;
  /** Of the key that encrypts the secrets of this stack. */
  #salt = "";
  readonly #removeAtExit = (): void => this.remove();

  constructor(original: Original, redirection: Redirection, signal: AbortSignal) {
    this.#original = original;
    this.#folder = mkdtempSync(join(tmpdir(), "dataplatform-rehearsal-"));
    process.once("exit", this.#removeAtExit);
    this.#options = { env: environment(this.#folder, redirection), signal };
    this.#redirection = redirection;
  }

  /** Replaces the state. */
  async importState(exported: WholeExport): Promise<void> {
    const { deployment, ...rest } = exported;
    // The import encrypts the secrets with this stack's key; the original's must not be asked for.
    const secrets_providers = { type: "passphrase", state: { salt: this.#salt } };
    const file = join(this.#folder, "state.json");
    writeFileSync(file, JSON.stringify({ ...rest, deployment: { ...deployment, secrets_providers } }), { mode: 0o600 });
    try {
      const args = [..."stack import --stack".split(" "), this.#original.stack, "--file", file];
      await pulumi(args, this.#home, this.#options);
    } finally {
      rmSync(file, { force: true });
    }
  }

  /** Runs the program: `preview` or `up`. `reason`: why it failed, if what it printed does not say so. */
  async run(verb: "preview" | "up", ...flags: readonly string[]) {
    const { cwd, stack } = this.#original;
    const own = ["--json", "--stack", stack, "--config-file", this.#configFile];
    // Whatever the program does, an update sends nothing to production. A preview tells which providers lead elsewhere.
    const bound = verb === "up" ? { [tokenHostsVariable]: new URL(this.#redirection.to.baseUrl).host } : {};
    const env = { ...this.#options.env, ...bound };
    const { code, stdout, stderr } = await tryPulumi([verb, ...own, ...flags], cwd, { ...this.#options, env });
    const reason = stderr.trim().replace(/^error: /, "") || `"pulumi ${verb}" ended with exit code ${code}`;
    return { isOk: code === 0, stdout, reason };
  }

  state(): Promise<State> {
    return readState({ cwd: this.#home, stack: this.#original.stack }, this.#options);
  }

  remove(): void {
    process.removeListener("exit", this.#removeAtExit);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get #home(): string {
    return join(this.#folder, "project");
  }

  get #configFile(): string {
    return join(this.#home, `Pulumi.${this.#original.stack}.yaml`);
  }

  /** Creates it, without any resources. */
  async init(): Promise<void> {
    const { project, stack, config } = this.#original;
    for (const name of ["project", "state", "home", "tmp"]) mkdirSync(join(this.#folder, name));
    linkPlugins(this.#folder);
    writeFileSync(join(this.#home, "Pulumi.yaml"), stringify({ name: project, runtime: "nodejs" }));
    const init = ["stack", "init", stack, "--no-select", "--secrets-provider", "passphrase"];
    await pulumi(init, this.#home, this.#options);
    const values = redirectedConfig(config, this.#redirection);
    const plain = values.filter(({ secret }) => !secret).map(({ key, value }) => [key, value]);
    const made = parse(readFileSync(this.#configFile, "utf8")) as { encryptionsalt: string };
    this.#salt = made.encryptionsalt;
    writeFileSync(this.#configFile, stringify({ ...made, config: Object.fromEntries(plain) }), { mode: 0o600 });
    for (const { key, value } of values.filter(({ secret }) => secret))
      await pulumi(["config", "set", "--secret", key, "--stack", stack], this.#home, {
        ...this.#options,
        input: String(value),
      });
  }
}

interface ConfigValue {
  readonly key: string;
  readonly value: unknown;
  readonly secret: boolean;
}

/** The configuration, with the emulator in the place of the platform, wherever it is named. */
function redirectedConfig(config: StackConfig, redirection: Redirection): ConfigValue[] {
  return Object.entries(config).flatMap(([key, { value, objectValue, secret = false }]): ConfigValue[] => {
    if (value === undefined || key === "dataplatform:profile") return [];
    const replaced = inPlaceOf(value, redirection, key);
    // The project may demand that it is a secret.
    if (replaced !== value) return [{ key, value: replaced, secret }];
    return [{ key, value: secret ? value : (objectValue ?? value), secret }];
  });
}

/** Variables of the original backend and platform, which the rehearsal has no use for: its emulator takes requests as specified. */
const dropped = [
  "DATAPLATFORM_PROFILE",
  tokenHostsVariable,
  "PULUMI_ACCESS_TOKEN",
  "PULUMI_CONFIG_PASSPHRASE_FILE",
  "PULUMI_STACK",
  "PULUMI_CONFIG_FILE",
];

function environment(folder: string, redirection: Redirection): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !dropped.includes(name));
  const local = [process.env["NO_PROXY"] ?? process.env["no_proxy"], "127.0.0.1"].filter(Boolean).join(",");
  return {
    // A program may read production's token from a variable of any name.
    ...Object.fromEntries(inherited.map(([name, value]) => [name, inPlaceOf(value ?? "", redirection)])),
    TMPDIR: join(folder, "tmp"),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: randomBytes(24).toString("hex"),
    DATAPLATFORM_BASE_URL: redirection.to.baseUrl,
    DATAPLATFORM_API_TOKEN: redirection.to.apiToken,
    NO_PROXY: local,
    no_proxy: local,
  };
}

/** The installed plugins, in the temporary home. */
function linkPlugins(folder: string): void {
  const plugins = join(process.env["PULUMI_HOME"] || join(homedir(), ".pulumi"), "plugins");
  if (existsSync(plugins)) symlinkSync(plugins, join(folder, "home/plugins"), "dir");
}
