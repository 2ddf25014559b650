import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onExit } from "../lib/cleanup.mjs";
import { root } from "../lib/project.mjs";
import { ToolError } from "../lib/say.mjs";

/**
 * @typedef {object} Timing
 * @property {number} seconds
 * @property {number} memoryMb highest resident memory of the provider process
 * @property {number} cpuSeconds of the operation with all its processes; Linux only, 0 elsewhere
 */

/** A fresh project and stack for one run of one variant. */
export class BenchStack {
  /**
   * @param {import("./variants.mjs").Variant} variant
   * @param {number} size
   * @param {{ engine: string, baseUrl: string, token: string, checkpoints: boolean }} options
   */
  constructor(variant, size, { engine, baseUrl, token, checkpoints }) {
    this.variant = variant;
    this.engine = engine;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "dataplatform-bench-")));
    this.forget = onExit(() => this.remove());
    /** @type {NodeJS.ProcessEnv} */
    this.env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|DATAPLATFORM)_/.test(name))),
      PATH: [engine, join(this.folder, "bin"), process.env["PATH"]].join(delimiter),
      PULUMI_HOME: join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      DATAPLATFORM_BASE_URL: baseUrl,
      DATAPLATFORM_API_TOKEN: token,
      BENCH_SIZE: String(size),
      ...(checkpoints ? {} : { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
    };
    if (variant.terraform) this.#writeTerraform(size);
    else this.#writeProject();
  }

  #writeProject() {
    mkdirSync(join(this.folder, "state"));
    mkdirSync(join(this.folder, "bin"));
    mkdirSync(join(this.folder, "node_modules/@pulumi"), { recursive: true });
    symlinkSync(root, join(this.folder, "node_modules/pulumi-dataplatform"), "dir");
    symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(this.folder, "node_modules/@pulumi/pulumi"), "dir");
    cpSync(join(root, "tools/bench/programs"), this.folder, { recursive: true });
    cpSync(join(this.folder, this.variant.program), join(this.folder, "index.js"));
    writeFileSync(join(this.folder, "package.json"), '{"name":"bench","main":"index.js"}');
    writeFileSync(join(this.folder, "Pulumi.yaml"), "name: bench\nmain: index.js\nruntime: nodejs\n");
    writeFileSync(
      join(this.folder, "Pulumi.bench.yaml"),
      this.variant.plugin === "ours" ? "config:\n  dataplatform:mode: plugin\n" : "config: {}\n",
    );
    if (this.variant.plugin === "noop")
      this.#writeLauncher("pulumi-resource-noop", join(this.folder, "noop-plugin-server.js"));
    if (this.variant.plugin === "ours")
      this.#writeLauncher("pulumi-resource-dataplatform", join(root, "dist/provider/plugin/main.js"));
  }

  /** @param {string} name @param {string} script */
  #writeLauncher(name, script) {
    const path = join(this.folder, "bin", name);
    writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
    chmodSync(path, 0o755);
  }

  /** @param {number} size */
  #writeTerraform(size) {
    const resources = Array.from(
      { length: size },
      (_, index) => `resource "terraform_data" "ip_${index}" {\n  input = "10.0.${index >> 8}.${index & 255}"\n}\n`,
    );
    writeFileSync(join(this.folder, "main.tf"), resources.join(""));
  }

  async prepare() {
    if (this.variant.terraform) await this.#run("terraform", ["init", "-no-color"]);
    else await this.#pulumi("stack", "init", "bench");
  }

  /**
   * @param {"up" | "preview" | "refresh" | "destroy"} operation
   * @returns {Promise<Timing>}
   */
  operate(operation) {
    if (this.variant.terraform) {
      const flags = {
        up: ["apply", "-auto-approve"],
        preview: ["plan"],
        refresh: ["apply", "-refresh-only", "-auto-approve"],
        destroy: ["destroy", "-auto-approve"],
      };
      return this.#run("terraform", [...flags[operation], "-no-color"]);
    }
    const flags = operation === "preview" ? ["--expect-no-changes"] : ["--yes", "--skip-preview"];
    return this.#pulumi(operation, ...flags, "--stack", "bench", "--suppress-progress", "--suppress-outputs");
  }

  /** A preview of what is yet to be created. @param {string[]} flags @returns {Promise<Timing>} */
  previewNew(...flags) {
    return this.#pulumi("preview", ...flags, "--stack", "bench", "--suppress-progress", "--suppress-outputs");
  }

  stateBytes() {
    const file = this.variant.terraform
      ? join(this.folder, "terraform.tfstate")
      : join(this.folder, "state/.pulumi/stacks/bench/bench.json");
    return existsSync(file) ? statSync(file).size : 0;
  }

  remove() {
    this.forget();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** @param {string[]} args */
  #pulumi(...args) {
    return this.#run(join(this.engine, "pulumi"), [...args, "--non-interactive", "--color", "never"]);
  }

  /**
   * @param {string} command
   * @param {string[]} args
   * @returns {Promise<Timing>}
   */
  #run(command, args) {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      const cpuBefore = childCpuSeconds();
      const child = spawn(command, args, { cwd: this.folder, env: this.env, stdio: ["ignore", "pipe", "pipe"] });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding("utf8").on("data", (text) => {
          output = (output + text).slice(-4000);
        });
      let memoryMb = 0;
      const sampler = setInterval(() => {
        memoryMb = Math.max(memoryMb, highestMemory(this.variant.process, this.folder));
      }, 500);
      child.on("error", reject);
      child.on("close", (code) => {
        clearInterval(sampler);
        const seconds = (performance.now() - started) / 1000;
        if (code === 0) resolve({ seconds, memoryMb, cpuSeconds: childCpuSeconds() - cpuBefore });
        else reject(new ToolError("BENCH_FAILED", `${command.split("/").at(-1)} ${args.join(" ")} failed:\n${output}`));
      });
    });
  }
}

/** What the processes that this one has waited for, and theirs, have used. Of an operation, once it has ended. */
function childCpuSeconds() {
  if (process.platform !== "linux") return 0;
  // After the name of the process, which may contain spaces: the 14th and 15th are those of its children, in 1/100 s.
  const [, fields = ""] = readFileSync("/proc/self/stat", "utf8").split(/\) (?!.*\))/);
  const [user, system] = fields.split(" ").slice(13, 15).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

/**
 * Peak resident memory of the folder's provider process so far. Linux only; 0 elsewhere.
 * @param {RegExp} command
 * @param {string} folder
 */
function highestMemory(command, folder) {
  if (process.platform !== "linux") return 0;
  let highest = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!command.test(readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " "))) continue;
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").includes(folder)) continue;
      const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
      highest = Math.max(highest, Number(peak ?? 0) / 1024);
    } catch {
      // The process exited in the meantime.
    }
  }
  return Math.round(highest);
}
