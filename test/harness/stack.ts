import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { engineFolder, type Ran, root, run } from "./engine";

export interface ResourceSpec {
  readonly type: string;
  readonly args: Record<string, unknown>;
  readonly opts?: Record<string, unknown>;
}

/** A program as data: resources by name, in order, and its outputs. See program.js for the special values. */
export type Program = Readonly<Record<string, ResourceSpec>>;

export interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  readonly urn?: string;
}

/** The result of one engine run. */
export interface Outcome extends Ran {
  /** Steps by kind, without the stack itself: `{ create: 2, same: 1 }`. */
  readonly steps: Readonly<Record<string, number>>;
  /** The engine's own summary, including the stack itself; on refresh, what the platform returned. */
  readonly summary: Readonly<Record<string, number>>;
  /** `name: op`, for the resources that changed. */
  readonly changed: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
  /** Everything that the user reads: output and diagnostics. */
  readonly text: string;
}

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
    this.env = environment(folder, options);
    this.#name = options.name ?? "test";
    this.#flags = options.flags ?? [];
  }

  static async create(options: StackOptions = {}): Promise<TestStack> {
    const folder = mkdtempSync(join(tmpdir(), "dataplatform-test-"));
    const stack = new TestStack(folder, options);
    mkdirSync(join(folder, "state"));
    linkPackages(folder);
    if (options.program) {
      cpSync(resolve(root, options.program), folder, { recursive: true });
    } else {
      stack.#writeDataProgram();
    }
    const config = { ...(options.mode ? { mode: options.mode } : {}), ...options.config };
    if (options.config || options.mode || !options.program) stack.configure(config);
    const made = await stack.pulumi("stack", "init", stack.#name);
    if (made.code !== 0) throw new Error(`pulumi stack init failed: ${made.stderr}`);
    return stack;
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

  /** Replaces the stack's configuration. */
  configure(config: Readonly<Record<string, string>>): void {
    const file = join(this.folder, `Pulumi.${this.#name}.yaml`);
    const salt = /^encryptionsalt:.*$/m.exec(readOr(file, ""))?.[0] ?? "";
    const lines = Object.entries(config).map(
      ([key, value]) => `  ${key.includes(":") ? key : `dataplatform:${key}`}: ${JSON.stringify(value)}`,
    );
    writeFileSync(
      file,
      [salt, lines.length > 0 ? "config:" : "", ...lines, ""].filter(Boolean).join("\n").concat("\n"),
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
  readonly initErrors?: readonly string[];
  readonly sourcePosition?: string;
  readonly dependencies?: readonly string[];
}

interface Checkpoint {
  readonly checkpoint: {
    readonly latest?: {
      readonly resources?: readonly StateResource[];
      readonly pending_operations?: readonly { readonly resource: StateResource; readonly type: string }[];
    };
  };
}

interface EngineEvent {
  readonly summaryEvent?: { readonly resourceChanges?: Record<string, number> };
  readonly diagnosticEvent?: Diagnostic;
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
}

function outcomeOf(ran: Ran, log: string): Outcome {
  const events = log
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as EngineEvent);
  const diagnostics = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent && diagnosticEvent.severity !== "debug"
      ? [{ ...diagnosticEvent, message: plain(diagnosticEvent.message) }]
      : [],
  );
  const steps = events
    .flatMap(({ resourcePreEvent }) => (resourcePreEvent ? [resourcePreEvent.metadata] : []))
    .filter(({ type, urn }) => !type.startsWith("pulumi:") && !urn.includes("test:Later"));
  const counts: Record<string, number> = {};
  const changed: Record<string, string> = {};
  for (const { op, urn } of steps) {
    counts[op] = (counts[op] ?? 0) + 1;
    if (op !== "same") changed[urn.split("::").at(-1)!] = op;
  }
  const summary = events.find(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges ?? {};
  return {
    ...ran,
    steps: counts,
    summary,
    changed,
    diagnostics,
    text: [ran.stdout, ran.stderr, ...diagnostics.map(({ message }) => message)].join("\n"),
  };
}

/** The engine marks colours as `<{%reset%}>`. */
function plain(text: string): string {
  return text.replace(/<\{%[^%]*%\}>/g, "");
}

/** Links the packages that a program needs; users get them with npm install. */
export function linkPackages(folder: string): void {
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  mkdirSync(join(folder, "node_modules/@types"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-dataplatform"), "dir");
  for (const name of ["@pulumi/pulumi", "typescript", "@types/node"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
}

/** An environment with PULUMI_HOME and state in this folder, without any settings of the user running the tests. */
export function environment(folder: string, { baseUrl, token, env }: StackOptions): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PULUMI_|DATAPLATFORM_|VITEST|NODE_ENV|NODE_OPTIONS)/.test(name)),
  );
  return {
    ...inherited,
    PATH: `${engineFolder()}${delimiter}${process.env["PATH"]}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DEBUG_COMMANDS: "true",
    NODE_OPTIONS: `--require ${join(root, "test/harness/without-typescript.js")}`,
    ...(baseUrl ? { DATAPLATFORM_BASE_URL: baseUrl } : {}),
    ...(token ? { DATAPLATFORM_API_TOKEN: token } : {}),
    ...env,
  };
}

function readOr(file: string, fallback: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return fallback;
  }
}
