import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../lib/project.mjs";
import { runNpm } from "../lib/run.mjs";
import { runNode } from "./process.mjs";
import { openStack } from "./stack.mjs";

/**
 * @typedef {import("./process.mjs").Cost} Cost
 * @typedef {import("./stack.mjs").Settings} Settings
 * @typedef {import("./stack.mjs").Operation} Operation
 * @typedef {import("./statistics.mjs").Row} Row
 *
 * @typedef {object} Running
 * @property {(turn: number) => Promise<void>} take measures once more
 * @property {() => Row[]} rows
 * @property {() => void} close
 *
 * @typedef {object} Measurement
 * @property {string} about
 * @property {boolean} [quick]
 * @property {(engine: string) => Promise<Running>} open
 */

/** @type {readonly Operation[]} */
const all = ["up", "preview", "refresh", "destroy"];

/** @type {Record<string, Measurement>} */
export const measurements = {
  package: { about: "size of the npm package", quick: true, open: packageSize },
  start: { about: "start of the provider's process, against a bare node", quick: true, open: starts },
  plugin: {
    about: "400 resources in plugin mode, against a plugin that does nothing",
    quick: true,
    open: own("plugin", 400),
  },
  dynamic: { about: "the same in dynamic mode", quick: true, open: own("dynamic", 400) },
  "plugin-1000": { about: "1,000 resources", open: own("plugin", 1_000) },
  "dynamic-1000": { about: "1,000 resources", open: own("dynamic", 1_000) },
  "plugin-checkpoints": { about: "400 resources, with checkpoints", open: own("plugin", 400, true) },
  "dynamic-checkpoints": { about: "400 resources, with checkpoints", open: own("dynamic", 400, true) },
  set: {
    about: "one IpWhitelist of 10,000 addresses, against one of 1,000",
    open: comparison({
      name: "set of 10,000",
      ours: { program: "set", size: 10_000 },
      other: { program: "set", size: 1_000 },
      clockGoal: 10,
    }),
  },
  policies: {
    about: "preview of 1,000 new resources with the policy pack, against one without",
    open: comparison({
      name: "policies",
      ours: {
        program: "ours",
        plugin: true,
        size: 1_000,
        flags: ["--policy-pack", join(root, "dist/policies/main.js")],
      },
      other: { program: "ours", plugin: true, size: 1_000 },
      operations: ["preview"],
      clockGoal: 1.05,
    }),
  },
};

/**
 * Ours against a provider that does nothing, in the same mode.
 * @param {"plugin" | "dynamic"} mode
 * @param {number} size
 * @param {boolean} [checkpoints]
 */
function own(mode, size, checkpoints = false) {
  const goal = 1.1;
  return comparison({
    name: `${mode} ${size}${checkpoints ? " with checkpoints" : ""}`,
    ours: { program: "ours", plugin: mode === "plugin", size, checkpoints },
    other: { program: `noop-${mode}`, size, checkpoints },
    cpuGoal: goal,
    clockGoal: goal,
    memoryGoal: mode === "plugin" ? 100 : undefined,
  });
}

/**
 * Two stacks, operation by operation by turns; the one that went first goes second the next time.
 * @param {{ name: string, ours: Settings, other: Settings, operations?: readonly Operation[],
 *   cpuGoal?: number, clockGoal?: number, memoryGoal?: number | undefined }} what
 * @returns {Measurement["open"]}
 */
function comparison({ name, ours, other, operations = all, cpuGoal, clockGoal, memoryGoal }) {
  return async (engine) => {
    const stacks = { ours: await openStack(ours, engine), other: await openStack(other, engine) };
    /** @type {Map<string, Pair[]>} */
    const pairs = new Map(operations.map((operation) => [operation, []]));
    return {
      take: async (turn) => {
        for (const operation of operations)
          pairs.get(operation)?.push(await pairOf(turn, (side) => stacks[side].operate(operation)));
      },
      rows: () => {
        const rows = [...pairs].flatMap(([operation, found]) =>
          ratios(`${name}: ${operation}`, found, cpuGoal, clockGoal),
        );
        if (!operations.includes("up")) return rows;
        const values = (pairs.get("up") ?? []).map((pair) => pair.ours.memoryMb);
        return [...rows, { name: `${name}: memory`, unit: "MB", values, goal: memoryGoal }];
      },
      close: () => {
        for (const stack of Object.values(stacks)) stack.close();
      },
    };
  };
}

/** @typedef {{ ours: Cost, other: Cost }} Pair */

/** @param {number} turn @param {(side: "ours" | "other") => Promise<Cost>} measure @returns {Promise<Pair>} */
async function pairOf(turn, measure) {
  if (turn % 2 === 0) {
    const ours = await measure("ours");
    return { ours, other: await measure("other") };
  }
  const other = await measure("other");
  return { ours: await measure("ours"), other };
}

/** @param {string} name @param {Pair[]} pairs @param {number} [cpuGoal] @param {number} [clockGoal] @returns {Row[]} */
function ratios(name, pairs, cpuGoal, clockGoal) {
  const row = (/** @type {"cpuSeconds" | "seconds"} */ field, /** @type {number | undefined} */ goal) => ({
    name: `${name}, ${field === "seconds" ? "clock" : "CPU"}`,
    unit: /** @type {const} */ ("×"),
    values: pairs.map(({ ours, other }) => ours[field] / other[field]),
    goal,
  });
  return [row("cpuSeconds", cpuGoal), row("seconds", clockGoal)];
}

/** @returns {Promise<Running>} */
async function packageSize() {
  const { code, stdout, stderr } = await runNpm(["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root });
  if (code !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const [{ size, unpackedSize }] = JSON.parse(stdout);
  const row = (/** @type {string} */ name, /** @type {number} */ bytes) =>
    /** @type {Row} */ ({ name: `package: ${name}`, unit: "kB", values: [bytes / 1000], exact: true });
  return { take: async () => {}, rows: () => [row("packed", size), row("unpacked", unpackedSize)], close: () => {} };
}

/** @returns {Promise<Running>} */
async function starts() {
  const folder = mkdtempSync(join(tmpdir(), "dataplatform-bench-"));
  const load = `require(${JSON.stringify(join(root, "dist/provider/dynamic.js"))}).WhitelistedIp;process.stdout.write("0")`;
  const processes = {
    plugin: [join(root, "dist/provider/plugin/main.js"), "127.0.0.1:9"],
    "dynamic provider": ["-e", load],
  };
  const bare = ["-e", "process.stdout.write('0')"];
  /** @type {Map<string, Pair[]>} */
  const pairs = new Map(Object.keys(processes).map((name) => [name, []]));
  return {
    take: async (turn) => {
      // Short, so three for each of the others.
      for (let index = 0; index < 3; index++)
        for (const [name, args] of Object.entries(processes)) {
          const measure = (/** @type {string} */ side) =>
            runNode(side === "ours" ? args : bare, folder, { BENCH_UNTIL_OUTPUT: "1" });
          pairs.get(name)?.push(await pairOf(turn + index, measure));
        }
    },
    rows: () =>
      [...pairs].flatMap(([name, found]) => [
        ...ratios(`start of the ${name}`, found, 3),
        { name: `start of the ${name}: memory`, unit: "MB", values: found.map(({ ours }) => ours.memoryMb) },
      ]),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
