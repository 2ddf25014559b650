import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startEmulator } from "../demo/emulator.mjs";
import { root } from "../lib/project.mjs";
import { say } from "../lib/say.mjs";
import { measured, run } from "./measured.mjs";

const goal = { seconds: 60, memoryMb: 300 };
const accounts = 20;
/** With the account itself: 800 objects in each. */
const sizes = { addresses: 399, users: 250, roles: 50, groups: 50, stores: 50 };
const perAccount = 1 + Object.values(sizes).reduce((sum, size) => sum + size, 0);

/**
 * @typedef {object} ExportCost
 * @property {number} accounts
 * @property {number} objects
 * @property {number} seconds
 * @property {number} cpuSeconds
 * @property {number} memoryMb
 * @property {number} calls
 * @property {number} importSeconds all accounts, one after the other
 * @property {number} previewSeconds
 * @property {number} againSeconds the second export, with --missing
 * @property {number} againMemoryMb
 */

/**
 * Exports many accounts, imports them, and checks that the previews are empty and that a second export adds nothing.
 * @param {string} engine
 * @returns {Promise<ExportCost>}
 */
export async function exportCosts(engine) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "dataplatform-bench-export-")));
  const seed = join(folder, "seed.json");
  writeFileSync(seed, JSON.stringify({ accounts: numbers(accounts).map(accountOf) }));
  const emulator = await startEmulator(folder, ["--seed", seed, "--extended"]);
  try {
    return await exportAll(engine, folder, emulator.url);
  } finally {
    emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} engine @param {string} folder @param {string} url @returns {Promise<ExportCost>} */
async function exportAll(engine, folder, url) {
  const env = environment(engine, folder, url);
  const project = join(folder, "platform");
  const tokens = join(folder, "tokens.txt");
  writeFileSync(
    tokens,
    numbers(accounts)
      .map((account) => `team-${account} ${tokenOf(account)}\n`)
      .join(""),
  );
  const first = await measured(["export", "--tokens", tokens, project], folder, env);
  const { total } = /** @type {{ total: number }} */ (await (await fetch(`${url}/_emulator/requests?limit=1`)).json());
  say(`export: ${first.seconds.toFixed(1)} s, ${first.memoryMb} MB, ${total} calls; ${first.stdout.split("\n", 1)[0]}`);
  mkdirSync(join(folder, "state"));
  mkdirSync(join(project, "node_modules/@pulumi"), { recursive: true });
  symlinkSync(root, join(project, "node_modules/pulumi-dataplatform"), "dir");
  for (const name of ["@pulumi/pulumi", "@types", "typescript"])
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name), "dir");
  const time = { import: 0, preview: 0 };
  for (const account of numbers(accounts)) {
    const stack = `team-${account}`;
    /** @param {...string} args */
    const pulumi = async (...args) => {
      const started = performance.now();
      await run("pulumi", [...args, "--non-interactive", "--color", "never"], project, env);
      return (performance.now() - started) / 1000;
    };
    await pulumi("stack", "init", stack);
    await pulumi("config", "set", "--secret", "dataplatform:apiToken", tokenOf(account), "--stack", stack);
    const file = `accounts/${stack}/import.json`;
    time.import += await pulumi("import", "--file", file, "--generate-code=false", "--yes", "--stack", stack);
    time.preview += await pulumi("preview", "--expect-no-changes", "--stack", stack);
    say(`imported ${stack}: so far ${time.import.toFixed(0)} s, and ${time.preview.toFixed(0)} s for empty previews`);
  }
  const again = await measured(["export", "--missing", "--cwd", project, join(project, "more")], folder, env);
  if (!again.stdout.startsWith("Nothing is missing")) throw new Error(`the second export adds: ${again.stdout}`);
  return {
    accounts,
    objects: accounts * perAccount,
    seconds: first.seconds,
    cpuSeconds: first.cpuSeconds,
    memoryMb: first.memoryMb,
    calls: total,
    importSeconds: time.import,
    previewSeconds: time.preview,
    againSeconds: again.seconds,
    againMemoryMb: again.memoryMb,
  };
}

/** @param {string} engine @param {string} folder @param {string} url @returns {NodeJS.ProcessEnv} */
function environment(engine, folder, url) {
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PULUMI|DATAPLATFORM)_/.test(name))),
    PATH: [engine, process.env["PATH"]].join(delimiter),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    // The engine's own writes of the state are not what is measured.
    PULUMI_EXPERIMENTAL: "true",
    PULUMI_SKIP_CHECKPOINTS: "true",
    DATAPLATFORM_BASE_URL: url,
    DATAPLATFORM_EXTENDED_API: "true",
  };
}

/** @param {number} count */
function numbers(count) {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** @param {number} account */
function tokenOf(account) {
  return `bench-admin-${account}`;
}

/** @param {number} account */
function accountOf(account) {
  const time = "2024-01-01T00:00:00Z";
  const firstUser = account * 1_000;
  const roles = numbers(sizes.roles).map((id) => ({ id, name: `role-${id}`, permissions: ["submitting a command"] }));
  const admins = { id: sizes.groups + 1, name: "system-admin" };
  const groups = numbers(sizes.groups).map((id) => ({ id, name: `group-${id}`, roles: [id] }));
  const users = numbers(sizes.users).map((index) => ({
    id: firstUser + index,
    user_id: firstUser + index,
    email: `user${index}@team-${account}.example.com`,
    token: index === 1 ? tokenOf(account) : `token-${account}-${index}`,
    ...(index === 1 && account === 1 ? { alias: "admin" } : {}),
    groups: index === 1 ? [admins.id] : [(index % sizes.groups) + 1],
  }));
  return {
    id: account,
    name: `Team ${account}`,
    users,
    roles,
    groups: [...groups, admins],
    whitelist: numbers(sizes.addresses).map((id) => ({
      id,
      ip_cidr: `10.${account}.${id >> 8}.${id & 255}`,
      created_at: time,
      updated_at: time,
    })),
    dataStores: numbers(sizes.stores).map((id) => ({
      ...{ id, user_id: firstUser + 1, active: true, name: `store-${id}`, catalog_name: null, db_name: `sales${id}` },
      ...{ db_host: `db${id}.example.com`, db_user: "reader", db_passwd: "secret", db_type: "mysql" },
      ...{ db_location: "on-premise", port: 3306, gateway_ip: null, gateway_port: null, gateway_username: null },
      ...{ gateway_private_key: null, created_at: time },
    })),
  };
}

/** @param {ExportCost | undefined} cost */
export function exportSection(cost) {
  if (!cost) return "";
  const { seconds, cpuSeconds, memoryMb, calls, importSeconds, previewSeconds, againSeconds, againMemoryMb } = cost;
  const holds = Math.max(seconds, againSeconds) <= goal.seconds && Math.max(memoryMb, againMemoryMb) <= goal.memoryMb;
  return `## Export of many accounts

\`dataplatform export\` of ${cost.objects.toLocaleString("en")} objects in ${cost.accounts} accounts with the extended API (addresses, users, roles, groups with their members, data stores), then an import into a stack for each account, an empty preview of each, and a second export with \`--missing\`, which finds nothing to add.

| step | time | CPU time | memory | calls |
|---|---|---|---|---|
| export | ${seconds.toFixed(1)} s | ${cpuSeconds.toFixed(1)} s | ${memoryMb} MB | ${calls.toLocaleString("en")} |
| ${cost.accounts} imports, without checkpoints | ${importSeconds.toFixed(0)} s | | | |
| ${cost.accounts} previews, all empty | ${previewSeconds.toFixed(0)} s | | | |
| second export, which reads the stacks too | ${againSeconds.toFixed(1)} s | | ${againMemoryMb} MB | |

Goal: each export in at most ${goal.seconds} s and ${goal.memoryMb} MB: ${holds ? "holds" : "**missed**"}.
`;
}
