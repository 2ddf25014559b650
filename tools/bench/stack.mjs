import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startEmulator } from "../demo/emulator.mjs";
import { onExit } from "../lib/cleanup.mjs";
import { root } from "../lib/project.mjs";
import { runCli } from "./process.mjs";

/**
 * @typedef {object} Settings
 * @property {"ours" | "set" | "noop-dynamic" | "noop-plugin"} program
 * @property {number} size
 * @property {boolean} [plugin] ours as a plugin
 * @property {boolean} [checkpoints] the engine writes its state at every step, as it does unless told otherwise
 * @property {string[]} [flags] of preview
 *
 * @typedef {"up" | "preview" | "refresh" | "destroy"} Operation
 */

/**
 * A project and a stack in a folder of their own, with an emulator of their own.
 * @param {Settings} settings
 * @param {string} engine
 */
export async function openStack(settings, engine) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dataplatform-bench-")));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const forget = onExit(remove);
  const emulator = await startEmulator(folder);
  writeProject(folder, settings);
  const isPlugin = settings.plugin || settings.program === "noop-plugin";
  const provider = isPlugin
    ? /noop-plugin-server|provider\/plugin\/main/
    : /node_modules\/@pulumi\/pulumi\/cmd\/dynamic-provider/;
  const env = environment(settings, { engine, folder, emulator });
  const pulumi = (/** @type {string[]} */ ...args) =>
    runCli(join(engine, "pulumi"), [...args, "--non-interactive", "--color", "never"], { cwd: folder, env, provider });
  await pulumi("stack", "init", "bench");
  return {
    operate: (/** @type {Operation} */ operation) => {
      const flags = operation === "preview" ? (settings.flags ?? []) : ["--yes", "--skip-preview"];
      return pulumi(operation, ...flags, "--stack", "bench", "--suppress-progress", "--suppress-outputs");
    },
    close: () => {
      emulator.stop();
      forget();
      remove();
    },
  };
}

/**
 * @param {Settings} settings
 * @param {{ engine: string, folder: string, emulator: import("../demo/emulator.mjs").Emulator }} places
 * @returns {NodeJS.ProcessEnv}
 */
function environment({ size, program, checkpoints = false }, { engine, folder, emulator }) {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|DATAPLATFORM)_/.test(name))),
    PATH: [engine, join(folder, "bin"), process.env["PATH"]].join(delimiter),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    DATAPLATFORM_BASE_URL: emulator.url,
    DATAPLATFORM_API_TOKEN: emulator.token,
    BENCH_SIZE: String(size),
    BENCH_PROGRAM: program,
    ...(checkpoints ? {} : { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" }),
  };
}

/** @param {string} folder @param {Settings} settings */
function writeProject(folder, { plugin = false }) {
  for (const name of ["state", "bin"]) mkdirSync(join(folder, name));
  mkdirSync(join(folder, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(folder, "node_modules/pulumi-dataplatform"), "dir");
  symlinkSync(join(root, "node_modules/@pulumi/pulumi"), join(folder, "node_modules/@pulumi/pulumi"), "dir");
  cpSync(join(root, "tools/bench/programs"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"name":"bench","main":"program.js"}');
  writeFileSync(join(folder, "Pulumi.yaml"), "name: bench\nmain: program.js\nruntime: nodejs\n");
  const config = plugin ? "config:\n  dataplatform:mode: plugin\n" : "config: {}\n";
  writeFileSync(join(folder, "Pulumi.bench.yaml"), config);
  writeLauncher(folder, "pulumi-resource-noop", join(folder, "noop-plugin-server.js"));
  writeLauncher(folder, "pulumi-resource-dataplatform", join(root, "dist/provider/plugin/main.js"));
}

/** @param {string} folder @param {string} name @param {string} script */
function writeLauncher(folder, name, script) {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  chmodSync(path, 0o755);
}
