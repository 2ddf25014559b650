import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { onExit, onInterrupt } from "../lib/cleanup.mjs";
import { root } from "../lib/project.mjs";
import { ToolError } from "../lib/say.mjs";

const interruptMs = 15_000;

/** The command `dataplatform`. */
const command = join(root, "dist/cli/main.js");

/** Packages that the program needs; users get them with npm install. */
const packages = ["@pulumi/pulumi", "typescript", "@types/node"].map((name) => [
  name,
  join(root, "node_modules", name),
]);
const links = { "pulumi-dataplatform": root, ...Object.fromEntries(packages) };

/** The environment without the user's Pulumi and platform settings, which could lead to another stack or account. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|DATAPLATFORM)_/.test(name)));
}

/**
 * A folder with a copy of an example and its own state backend and PULUMI_HOME, so that the user's are not touched.
 */
export class Workspace {
  /**
   * @param {string} example
   * @param {string} engine the folder of pulumi
   * @param {import("./screen.mjs").Screen} screen
   */
  constructor(example, engine, screen) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), `dataplatform-${example}-`)));
    this.forget = onExit(() => this.remove());
    this.engine = engine;
    this.screen = screen;
    this.program = join(this.folder, example);
    cpSync(join(root, "examples", example), this.program, {
      recursive: true,
      filter: (source) => !source.includes("node_modules"),
    });
    for (const [name, target] of Object.entries(links)) {
      const link = join(this.program, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      if (existsSync(target)) symlinkSync(target, link, "junction");
    }
    const state = join(this.folder, "state");
    mkdirSync(state);
    /** @type {Record<string, string>} */
    this.variables = {
      PULUMI_BACKEND_URL: pathToFileURL(state).href,
      PULUMI_HOME: join(this.folder, "home"),
      PULUMI_CONFIG_PASSPHRASE: "demo",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true", // The suite checks the examples' types.
    };
  }

  /**
   * Runs a command in the program's folder and shows what it prints.
   * @param {"pulumi" | "dataplatform"} name
   * @param {string[]} args
   * @returns {Promise<void>}
   */
  async run(name, ...args) {
    this.screen.print(`$ ${name} ${args.join(" ")}`);
    const [path, first] = name === "pulumi" ? [join(this.engine, name), []] : [process.execPath, [command]];
    const out = this.screen.recording ? "pipe" : "inherit";
    const child = spawn(path, [...first, ...args], {
      cwd: this.program,
      env: { ...cleanEnvironment(), ...this.variables, PATH: `${this.engine}${delimiter}${process.env["PATH"]}` },
      stdio: ["ignore", out, out],
      // We forward Ctrl-C once; a second signal would make it exit without stopping its plugins.
      detached: process.platform !== "win32",
    });
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface(stream).on("line", (line) => this.screen.print(line));
    /** @type {Promise<number>} */
    const ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(code ?? 1));
    });
    let interrupted = false;
    const forget = onInterrupt(async () => {
      interrupted = true;
      child.kill("SIGINT");
      const timer = setTimeout(() => child.kill("SIGKILL"), interruptMs);
      await ended.finally(() => clearTimeout(timer));
    });
    const code = await ended;
    forget();
    if (interrupted) await new Promise(() => {}); // The interrupt handler ends the process; do not add an error.
    const hasFound = name === "dataplatform" && code === 2;
    if (code !== 0 && !hasFound)
      throw new ToolError("COMMAND_FAILED", `${name} ${args.join(" ")} failed with exit code ${code}`);
  }

  /** @returns {string} path of a file for a shell to source */
  writeVariables() {
    const path = join(this.folder, "env.sh");
    const quote = (/** @type {string} */ value) => `'${value.replaceAll("'", `'\\''`)}'`;
    const lines = Object.entries(this.variables).map(([name, value]) => `export ${name}=${quote(value)}`);
    lines.push(`export PATH=${quote(this.engine)}:"$PATH"`);
    lines.push(`dataplatform() { ${quote(process.execPath)} ${quote(command)} "$@"; }`);
    writeFileSync(path, `${lines.join("\n")}\n`);
    return path;
  }

  remove() {
    this.forget();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
