import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../demo/emulator.mjs";
import { root } from "../lib/project.mjs";
import { say } from "../lib/say.mjs";
import { BenchStack } from "./stack.mjs";
import { variants } from "./variants.mjs";

/**
 * What the policy pack adds to a preview: the same preview of the same stack, by turns without and with it.
 * @typedef {object} PolicyCost
 * @property {string} variant
 * @property {number} size
 * @property {Cost[]} without
 * @property {Cost[]} with
 *
 * @typedef {Pick<import("./stack.mjs").Timing, "seconds" | "cpuSeconds">} Cost
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
    for (let repeat = 0; repeat < repeats; repeat++) {
      cost.without.push(costOf(await stack.previewNew()));
      cost.with.push(costOf(await stack.previewNew("--policy-pack", pack)));
      const [plain, judged] = [cost.without.at(-1), cost.with.at(-1)].map(
        (one) => `${one?.seconds.toFixed(1)} s (CPU ${one?.cpuSeconds.toFixed(1)} s)`,
      );
      say(`${variant} ${size} preview: ${plain}, with the policy pack ${judged}`);
    }
    return cost;
  } finally {
    stack.remove();
    emulator.stop();
    rmSync(logs, { recursive: true, force: true });
  }
}

/** @param {import("./stack.mjs").Timing} timing @returns {Cost} */
function costOf({ seconds, cpuSeconds }) {
  return { seconds, cpuSeconds };
}
