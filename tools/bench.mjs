#!/usr/bin/env node
/** Measures the provider against a no-op provider as the lower bound. Compares ratios within one run, never absolute times. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { accessCosts } from "./bench/access.mjs";
import { exportCosts } from "./bench/export.mjs";
import { policyCosts } from "./bench/policies.mjs";
import { processCosts } from "./bench/process.mjs";
import { report } from "./bench/report.mjs";
import { BenchStack } from "./bench/stack.mjs";
import { variants } from "./bench/variants.mjs";
import { startEmulator } from "./demo/emulator.mjs";
import { nodeParts } from "./engine/layout.mjs";
import { ensureEngine } from "./engine.mjs";
import { root } from "./lib/project.mjs";
import { isMain, main, say } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

const operations = /** @type {const} */ (["up", "preview", "refresh", "destroy"]);
const rawFile = join(root, "docs/performance.json");

/**
 * @typedef {object} Measurement
 * @property {string} variant
 * @property {number} size
 * @property {number} latencyMs
 * @property {boolean} checkpoints
 * @property {string} operation
 * @property {number} seconds
 * @property {number} memoryMb
 * @property {number} calls
 * @property {number} bytesSent
 * @property {number} stateBytes
 */

const usage = `Usage: npm run bench -- [options]

Measures the provider against a provider that does nothing, on the emulator. Writes docs/performance.json (the raw
numbers), docs/performance.md and docs/performance.svg. Takes hours with the defaults.

Options:
  --sizes N,…         numbers of resources (default: 10,100,400,1000)
  --latencies MS,…    latencies of the platform in milliseconds (default: 0,20)
  --variants NAME,…   what to measure (default: all): ${Object.keys(variants).join(", ")}
  --repeats N         how often to measure each (default: 3)
  --checkpoints W,…   on, off or both: whether the engine writes its state after each step (default: on,off)
  --policies          measure only what the policy pack adds to a preview of the largest size, and keep the rest
  --append            add to the measurements of earlier runs, and keep what was measured about single processes
  --access            measure "dataplatform access" alone, and keep the other numbers
  --export            measure "dataplatform export" alone, and keep the other numbers
  --report            write the pages from the recorded numbers, and measure nothing
  --help              show this text`;

const options = /** @type {const} */ ({
  sizes: { type: "string", default: "10,100,400,1000" },
  latencies: { type: "string", default: "0,20" },
  variants: { type: "string", default: Object.keys(variants).join(",") },
  repeats: { type: "string", default: "3" },
  checkpoints: { type: "string", default: "on,off" },
  policies: { type: "boolean", default: false },
  append: { type: "boolean", default: false },
  access: { type: "boolean", default: false },
  export: { type: "boolean", default: false },
  report: { type: "boolean", default: false },
});

/**
 * @param {{ sizes: string, latencies: string, variants: string, repeats: string, checkpoints: string, policies: boolean,
 *   append: boolean, access: boolean, export: boolean, report: boolean }} values
 */
async function bench(values) {
  if (values.report) return writeReport(JSON.parse(readFileSync(rawFile, "utf8")));
  await setUp({ log: say });
  if (values.access) {
    const recorded = JSON.parse(readFileSync(rawFile, "utf8"));
    return writeReport({ ...recorded, access: await accessCosts(Number(values.repeats)) });
  }
  const engine = await ensureEngine({ parts: nodeParts, log: say });
  if (values.export)
    return writeReport({ ...JSON.parse(readFileSync(rawFile, "utf8")), export: await exportCosts(engine) });
  const numbers = (/** @type {string} */ text) => text.split(",").map(Number);
  const measurePolicies = () =>
    policyCosts({ engine, size: Math.max(...numbers(values.sizes)), repeats: Number(values.repeats) });
  if (values.policies)
    return writeReport({ ...JSON.parse(readFileSync(rawFile, "utf8")), policies: await measurePolicies() });
  const recorded = values.append && existsSync(rawFile) ? JSON.parse(readFileSync(rawFile, "utf8")) : undefined;
  /** @type {Measurement[]} */
  const measurements = recorded?.measurements ?? [];
  const result = recorded ?? {
    machine: machine(),
    processes: await processCosts(),
    policies: await measurePolicies(),
    access: await accessCosts(Number(values.repeats)),
    export: await exportCosts(engine),
    measurements,
  };
  // Interleave the variants, so that a slow minute of the machine affects all of them.
  for (let repeat = 0; repeat < Number(values.repeats); repeat++) {
    for (const size of numbers(values.sizes)) {
      for (const checkpoints of values.checkpoints.split(",").map((text) => text === "on")) {
        for (const latencyMs of numbers(values.latencies)) {
          for (const name of values.variants.split(",")) {
            if (!applies(name, latencyMs, checkpoints)) continue;
            measurements.push(...(await measure(name, size, latencyMs, checkpoints, engine)));
            writeReport(result);
          }
        }
      }
    }
  }
  say("wrote docs/performance.json, docs/performance.md and docs/performance.svg");
}

/** Variants that call nothing do not depend on latency, and Terraform has no checkpoint setting. @param {string} name @param {number} latencyMs @param {boolean} checkpoints */
function applies(name, latencyMs, checkpoints) {
  const variant = variants[name];
  if (!variant) throw new Error(`unknown variant ${name}; use one of ${Object.keys(variants).join(", ")}`);
  if (variant.terraform) return latencyMs === 0 && checkpoints && spawnSync("terraform", ["version"]).status === 0;
  return Boolean(variant.callsPlatform) || latencyMs === 0;
}

/**
 * @param {string} name
 * @param {number} size
 * @param {number} latencyMs
 * @param {boolean} checkpoints
 * @param {string} engine
 * @returns {Promise<Measurement[]>}
 */
async function measure(name, size, latencyMs, checkpoints, engine) {
  const logs = mkdtempSync(join(tmpdir(), "dataplatform-bench-emulator-"));
  const emulator = await startEmulator(logs);
  const control = (/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body) =>
    fetch(`${emulator.url}/_emulator/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const stack = new BenchStack(/** @type {import("./bench/variants.mjs").Variant} */ (variants[name]), size, {
    engine,
    baseUrl: emulator.url,
    token: emulator.token,
    checkpoints,
  });
  try {
    if (latencyMs > 0) await control("POST", "faults", { rules: [{ kind: "latency", latencyMs }] });
    await stack.prepare();
    const rows = [];
    for (const operation of operations) {
      await control("DELETE", "requests", undefined);
      const timing = await stack.operate(operation);
      const answer = await control("GET", "requests?limit=1", undefined);
      const { total, bytesIn } = /** @type {{ total: number, bytesIn: number }} */ (await answer.json());
      const row = {
        variant: name,
        size,
        latencyMs,
        checkpoints,
        operation,
        seconds: timing.seconds,
        memoryMb: timing.memoryMb,
        calls: total,
        bytesSent: bytesIn,
        stateBytes: stack.stateBytes(),
      };
      say(
        `${name} ${size} ${latencyMs} ms ${checkpoints ? "" : "no checkpoints "}${operation}: ${timing.seconds.toFixed(1)} s, ${total} calls, ${timing.memoryMb} MB`,
      );
      rows.push(row);
    }
    return rows;
  } finally {
    stack.remove();
    emulator.stop();
    rmSync(logs, { recursive: true, force: true });
  }
}

function machine() {
  return {
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

/** @param {import("./bench/report.mjs").Result} result */
function writeReport(result) {
  const { markdown, svg } = report(result);
  writeFileSync(rawFile, `${JSON.stringify(result, undefined, 1)}\n`);
  writeFileSync(join(root, "docs/performance.md"), markdown);
  writeFileSync(join(root, "docs/performance.svg"), svg);
}

if (isMain(import.meta.url)) await main({ usage, options }, bench);
