import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { engineFolder, type Ran, root, run } from "./engine";
import { type Outcome, outcomeOf } from "./engine-events";
import { type KeyService, keyService } from "./key-service";

export type { Diagnostic, Outcome } from "./engine-events";

export interface ResourceSpec {
  readonly type: string;
  readonly args: Record<string, unknown>;
  readonly opts?: Record<string, unknown>;
}

/** A program as data: resources by name, in order, and its outputs. See program.js for the special values. */
export type Program = Readonly<Record<string, ResourceSpec>>;

export interface StackOptions {
  readonly baseUrl?: string;
  readonly token?: string;
  /** `dataplatform:` settings, and others with their namespace. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  /** `plugin` sends resources without an explicit provider through the plugin; the default is dynamic. */
  readonly mode?: "dynamic" | "plugin" | undefined;
  /** A folder with a TypeScript program, run from a copy; without it, the program is data. */
  readonly program?: string;
  /** Name of the stack; a program's Pulumi.<name>.yaml then configures it. */
  readonly name?: string;
  /** Additional flags for every operation. */
  readonly flags?: readonly string[];
}

/** A stack on the real engine, with its own file backend and PULUMI_HOME. */
export class TestStack {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #name: string;
  readonly #flags: readonly string[];
  #runs = 0;

  private constructor(folder: string, options: StackOptions) {
    this.folder = folder;
    // Stacks talk to this machine only, and reading more certificates costs every Node process a third of its start.
    this.env = { ...environment(folder, options), NODE_EXTRA_CA_CERTS: "" };
    this.#name = options.name ?? "test";
    this.#flags = options.flags ?? [];
  }

  static async create(options: StackOptions = {}): Promise<TestStack> {
    const folder = mkdtempSync(join(tmpdir(), "dataplatform-test-"));
    const stack = new TestStack(folder, options);
    mkdirSync(join(folder, "state"));
    linkPackages(folder);
    const config = { ...(options.mode ? { mode: options.mode } : {}), ...options.config };
    if (options.program) cpSync(resolve(root, options.program), folder, { recursive: true });
    else stack.#writeDataProgram();
    // A program that brings the configuration of the stack is run as its users do, with a passphrase.
    const asUsers = existsSync(join(folder, `Pulumi.${stack.#name}.yaml`));
    if (!asUsers) stack.#writeEmptyStack(await keyService());
    if (options.config || options.mode) stack.configure(config);
    if (!asUsers) return stack;
    const made = await stack.pulumi("stack", "init", stack.#name);
    if (made.code !== 0) throw new Error(`pulumi stack init failed: ${made.stderr}`);
    return stack;
  }

  /** What `pulumi stack init` would write, without a start of the CLI. */
  #writeEmptyStack({ config, env }: KeyService): void {
    const [, project = ""] = /^name: (\S+)$/m.exec(readOr(join(this.folder, "Pulumi.yaml"), "")) ?? [];
    const full = `organization/${project}/${this.#name}`;
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      writeFileSync(join(this.folder, file), text);
    };
    Object.assign(this.env, env);
    write(`Pulumi.${this.#name}.yaml`, `${config}\n`);
    write("state/.pulumi/meta.yaml", "version: 1\n");
    write(
      `state/.pulumi/stacks/${project}/${this.#name}.json`,
      JSON.stringify({ version: 3, checkpoint: { stack: full } }),
    );
    const place = createHash("sha1").update(join(this.folder, "Pulumi.yaml")).digest("hex");
    const backend = this.env["PULUMI_BACKEND_URL"]!;
    write(`home/workspaces/${project}-${place}-workspace.json`, JSON.stringify({ stacks: { [backend]: full } }));
  }

  #writeDataProgram(): void {
    writeFileSync(join(this.folder, "package.json"), '{ "name": "project", "main": "index.js" }');
    cpSync(join(root, "test/harness/program.js"), join(this.folder, "index.js"));
    writeFileSync(
      join(this.folder, "Pulumi.yaml"),
      "name: project\nmain: index.js\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n" +
        "plugins:\n  providers:\n    - name: dataplatform\n      path: ./node_modules/pulumi-dataplatform/dist/plugin\n",
    );
    this.write({});
  }

  /** Takes the plugin's folder out of the project file: the engine must find it elsewhere. */
  forgetPlugin(): void {
    const file = join(this.folder, "Pulumi.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^plugins:[\s\S]*/m, ""));
  }

  /** Replaces the stack's configuration. */
  configure(config: Readonly<Record<string, string>>): void {
    const file = join(this.folder, `Pulumi.${this.#name}.yaml`);
    const encryption = readOr(file, "").match(/^(encryptionsalt|secretsprovider|encryptedkey):.*$/gm) ?? [];
    const lines = Object.entries(config).map(
      ([key, value]) => `  ${key.includes(":") ? key : `dataplatform:${key}`}: ${JSON.stringify(value)}`,
    );
    writeFileSync(
      file,
      [...encryption, lines.length > 0 ? "config:" : "", ...lines].filter(Boolean).join("\n").concat("\n"),
    );
  }

  write(program: Program, outputs: Record<string, unknown> = {}): void {
    const resources = Object.entries(program).map(([name, spec]) => ({ name, ...spec }));
    writeFileSync(join(this.folder, "program.json"), JSON.stringify({ resources, outputs }));
  }

  up(program?: Program, outputs?: Record<string, unknown>): Promise<Outcome> {
    if (program) this.write(program, outputs);
    return this.operate("up", "--yes", "--skip-preview");
  }

  preview(program?: Program, outputs?: Record<string, unknown>): Promise<Outcome> {
    if (program) this.write(program, outputs);
    return this.operate("preview");
  }

  refresh(): Promise<Outcome> {
    return this.operate("refresh", "--yes", "--skip-preview");
  }

  destroy(): Promise<Outcome> {
    return this.operate("destroy", "--yes", "--skip-preview");
  }

  /** The stored state with secrets encrypted, read from the backend's file instead of running `stack export`. */
  async exportState(): Promise<{ readonly text: string; readonly resources: readonly StateResource[] }> {
    const text = readFileSync(this.stateFile(), "utf8");
    const { checkpoint } = JSON.parse(text) as Checkpoint;
    const resources = checkpoint.latest?.resources ?? [];
    return { text, resources: resources.filter(({ type }) => !type.startsWith("pulumi:")) };
  }

  /** Writes the state as an interrupted run, or `pulumi state`, would have left it. */
  editState(edit: (resources: readonly StateResource[]) => readonly object[]): void {
    const stored = JSON.parse(readFileSync(this.stateFile(), "utf8")) as Checkpoint;
    const { latest } = stored.checkpoint;
    if (!latest) throw new Error("no state yet");
    const edited = {
      ...stored,
      checkpoint: { ...stored.checkpoint, latest: { ...latest, resources: edit(latest.resources ?? []) } },
    };
    writeFileSync(this.stateFile(), JSON.stringify(edited));
  }

  stateFile(): string {
    const [project = ""] = readdirSync(join(this.folder, "state/.pulumi/stacks"));
    return join(this.folder, "state/.pulumi/stacks", project, `${this.#name}.json`);
  }

  async outputs(): Promise<Record<string, unknown>> {
    const { stdout } = await this.pulumi("stack", "output", "--json", "--show-secrets", "--stack", this.#name);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  pulumi(...args: readonly string[]): Promise<Ran> {
    return run(join(engineFolder(), "pulumi"), [...args, "--non-interactive", "--color", "never"], {
      cwd: this.folder,
      env: this.env,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** An operation with extra flags, such as `up --replace`. */
  async operate(verb: string, ...flags: readonly string[]): Promise<Outcome> {
    const log = join(this.folder, `events-${this.#runs++}.json`);
    const all = [...flags, ...this.#flags, "--stack", this.#name, "--suppress-progress", "--event-log", log];
    const ran = await this.pulumi(verb, ...all);
    return outcomeOf(ran, readOr(log, ""));
  }
}

export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly sourcePosition?: string;
  readonly dependencies?: readonly string[];
}

interface Checkpoint {
  readonly checkpoint: {
    readonly latest?: { readonly resources?: readonly StateResource[] };
  };
}

/** Links the packages that a program needs; users get them with npm install. */
export function linkPackages(folder: string): void {
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-dataplatform"), "dir");
  for (const name of ["@pulumi/pulumi", "typescript", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
}

/** The environment without what vitest and npm set in it; vitest.config.mts has removed what the user has set. */
export function inherited(): NodeJS.ProcessEnv {
  const others = /^(DATAPLATFORM_|VITEST|NODE_ENV|NODE_OPTIONS)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name)));
}

/** The same with PULUMI_HOME and state in this folder. */
export function environment(folder: string, { baseUrl, token, env }: StackOptions): NodeJS.ProcessEnv {
  return {
    ...inherited(),
    PATH: `${engineFolder()}${delimiter}${process.env["PATH"]}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DEBUG_COMMANDS: "true",
    // The engine's processes live for a second: no time to collect garbage, as long as there is memory.
    GOGC: "off",
    GOMEMLIMIT: "1GiB",
    NODE_OPTIONS: `--require ${join(root, "test/harness/quick-start.js")}`,
    ...(baseUrl ? { DATAPLATFORM_BASE_URL: baseUrl } : {}),
    ...(token ? { DATAPLATFORM_API_TOKEN: token } : {}),
    ...env,
  };
}

export function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return fallback;
  }
}
