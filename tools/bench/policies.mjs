import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../demo/emulator.mjs";
import { root } from "../lib/project.mjs";
import { say } from "../lib/say.mjs";
import { BenchStack } from "./stack.mjs";
import { variants } from "./variants.mjs";

/**
 * What the policy pack adds to a preview: seconds of the same preview of the same stack, by turns without and with it.
 * @typedef {object} PolicyCost
 * @property {string} variant
 * @property {number} size
 * @property {number[]} without
 * @property {number[]} with
 */

const pack = join(root, "dist/policies/main.js");

/**
 * @param {{ engine: string, size: number, repeats: number }} options
 * @returns {Promise<PolicyCost[]>}
 */
export async function policyCosts({ engine, size, repeats }) {
  const costs = [];
  for (const variant of ["ours-dynamic", "ours-plugin"])
    costs.push(await policyCost(variant, { engine, size, repeats }));
  return costs;
}

/**
 * @param {string} variant
 * @param {{ engine: string, size: number, repeats: number }} options
 * @returns {Promise<PolicyCost>}
 */
async function policyCost(variant, { engine, size, repeats }) {
  const logs = mkdtempSync(join(tmpdir(), "dataplatform-bench-emulator-"));
  const emulator = await startEmulator(logs);
  const stack = new BenchStack(/** @type {import("./variants.mjs").Variant} */ (variants[variant]), size, {
    engine,
    baseUrl: emulator.url,
    token: emulator.token,
    checkpoints: false,
  });
  /** @type {PolicyCost} */
  const cost = { variant, size, without: [], with: [] };
  try {
    await stack.prepare();
    await stack.operate("up");
    // The first preview fills the machine's caches for all others.
    await stack.operate("preview");
    for (let repeat = 0; repeat < repeats; repeat++) {
      cost.without.push((await stack.operate("preview")).seconds);
      cost.with.push((await stack.operate("preview", ["--policy-pack", pack])).seconds);
      say(
        `${variant} ${size} preview: ${cost.without.at(-1)?.toFixed(1)} s, with the policy pack ${cost.with.at(-1)?.toFixed(1)} s`,
      );
    }
    return cost;
  } finally {
    stack.remove();
    emulator.stop();
    rmSync(logs, { recursive: true, force: true });
  }
}
