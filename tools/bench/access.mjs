import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../demo/emulator.mjs";
import { say } from "../lib/say.mjs";
import { measured, runNode } from "./measured.mjs";

const sizes = [10, 100, 1_000];
const formats = ["html", "json"];
const goal = { size: 1_000, seconds: 5, memoryMb: 300 };

/**
 * @typedef {object} AccessCost
 * @property {number} size so many users, and so many objects
 * @property {string} format
 * @property {number} seconds
 * @property {number} bareSeconds what a bare `node -e 0` took in the same minute
 * @property {number} cpuSeconds
 * @property {number} load processes that wanted to run in that minute
 * @property {number} memoryMb highest resident memory
 * @property {number} fileBytes
 * @property {number} calls
 */

/**
 * `dataplatform access` on so many objects and users: it reads every policy from the emulator, and judges every pair.
 * @param {number} repeats
 * @returns {Promise<AccessCost[]>} the medians
 */
export async function accessCosts(repeats) {
  const costs = [];
  for (const size of sizes) {
    const folder = mkdtempSync(join(tmpdir(), "dataplatform-bench-access-"));
    const seed = join(folder, "seed.json");
    writeFileSync(seed, JSON.stringify(seedOf(size)));
    const emulator = await startEmulator(folder, ["--seed", seed, "--reading", "userEntry=manual"]);
    try {
      for (const format of formats) {
        const runs = [];
        for (let index = 0; index < Math.max(1, repeats); index++)
          runs.push(await once(folder, emulator, size, format));
        const cost = { size, format, ...median(runs) };
        say(
          `access ${size} × ${size} ${format}: ${cost.seconds.toFixed(1)} s, ${cost.memoryMb} MB, ${cost.calls} calls`,
        );
        costs.push(cost);
      }
    } finally {
      emulator.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return costs;
}

/** Ten groups; each policy names two of them and twenty users. @param {number} size */
function seedOf(size) {
  const numbers = Array.from({ length: size }, (_, index) => index);
  const groups = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, name: `group-${index + 1}` }));
  const users = numbers.map((index) => ({
    id: index + 1,
    user_id: index + 1,
    email: `user${index + 1}@example.com`,
    name: `User ${index + 1}`,
    token: `token-${index + 1}`,
    groups: [(index % 10) + 1],
  }));
  const admin = { id: size + 1, user_id: size + 1, alias: "admin", email: "admin@example.com", name: "Admin" };
  const objects = numbers.map((index) => ({
    source_type: "note",
    id: index + 1,
    name: `Note ${index + 1}`,
    owner: 1,
    policy: [
      { access: "allow", action: ["read"], condition: { svc_groups: [(index % 10) + 1, ((index + 3) % 10) + 1] } },
      {
        access: "allow",
        action: ["all"],
        condition: { svc_users: Array.from({ length: 20 }, (_, place) => ((index * 7 + place * 13) % size) + 1) },
      },
      { access: "deny", action: ["delete"], condition: { svc_groups: [((index + 5) % 10) + 1] } },
    ],
  }));
  return {
    accounts: [
      {
        id: 1,
        name: "Bench",
        users: [...users, { ...admin, token: "bench-admin", groups: [11] }],
        groups: [...groups, { id: 11, name: "system-admin" }],
        objects,
      },
    ],
  };
}

/**
 * @param {string} folder
 * @param {import("../demo/emulator.mjs").Emulator} emulator
 * @param {number} size
 * @param {string} format
 * @returns {Promise<{ seconds: number, bareSeconds: number, cpuSeconds: number, load: number, memoryMb: number, fileBytes: number, calls: number }>}
 */
async function once(folder, { url, token }, size, format) {
  const output = join(folder, `access.${format}`);
  const objects = Array.from({ length: size }, (_, index) => ["--object", `note/${index + 1}`]).flat();
  await fetch(`${url}/_emulator/requests`, { method: "DELETE" });
  const bare = performance.now();
  await runNode(["-e", "0"], folder);
  const bareSeconds = (performance.now() - bare) / 1000;
  const { stdout: _, ...cost } = await measured(
    ["access", ...objects, "--format", format, "--output", output],
    folder,
    {
      DATAPLATFORM_BASE_URL: url,
      DATAPLATFORM_API_TOKEN: token,
    },
  );
  const { total } = /** @type {{ total: number }} */ (await (await fetch(`${url}/_emulator/requests?limit=1`)).json());
  return { ...cost, bareSeconds, load: Math.round(loadavg()[0] ?? 0), fileBytes: statSync(output).size, calls: total };
}

/**
 * @template {Record<string, number>} T
 * @param {T[]} runs
 * @returns {T}
 */
function median(runs) {
  const [first] = runs;
  const middle = (/** @type {string} */ name) =>
    runs.map((row) => row[name] ?? 0).sort((a, b) => a - b)[Math.floor(runs.length / 2)];
  return /** @type {T} */ (Object.fromEntries(Object.keys(first ?? {}).map((name) => [name, middle(name)])));
}

/** @param {AccessCost[]} costs */
export function accessSection(costs) {
  if (costs.length === 0) return "";
  const rows = costs.map(({ size, format, seconds, bareSeconds, cpuSeconds, memoryMb, fileBytes, calls }) => {
    const pairs = (size * size).toLocaleString("en");
    return `| ${size} × ${size} (${pairs}) | ${format} | ${seconds.toFixed(1)} s (${(seconds / bareSeconds).toFixed(0)}×) | ${cpuSeconds.toFixed(1)} s | ${memoryMb} MB | ${calls} | ${(fileBytes / 1e6).toFixed(1)} MB |`;
  });
  const largest = costs.filter(({ size }) => size === goal.size);
  const holds =
    largest.length > 0 &&
    largest.every(({ seconds, memoryMb }) => seconds <= goal.seconds && memoryMb <= goal.memoryMb);
  const verdict = `Goal: ${goal.size} users × ${goal.size} objects in at most ${goal.seconds} s and ${goal.memoryMb} MB: ${holds ? "holds" : "**missed**"}.`;
  return `## The access report

\`dataplatform access\` as its own process, from its start to the written file: it reads each policy from the platform and judges every pair of user and object, on four actions. In brackets: times a bare \`node -e 0\` in the same minute, since other work on the machine slows both.

| users × objects (pairs) | format | time | CPU time | memory | calls | file |
|---|---|---|---|---|---|---|
${rows.join("\n")}

${largest.length > 0 ? verdict : ""}${busy(largest)}
`;
}

/** @param {AccessCost[]} costs */
function busy(costs) {
  const load = Math.max(0, ...costs.map((cost) => cost.load));
  const cores = cpus().length;
  return load > cores
    ? ` The machine was busy with other work: ${load} processes wanted its ${cores} cores, so the CPU time says more.`
    : "";
}
