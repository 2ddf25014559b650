/** What the demonstration shows, in order. `npm run demo` plays it; tools/pictures.mjs makes the pictures of the README from it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../lib/say.mjs";
import { ask, startEmulator } from "./emulator.mjs";
import { Workspace } from "./workspace.mjs";

/** A group of the emulator, which all users of the account are in. */
const everyone = 203;

/**
 * @typedef {object} Stage
 * @property {import("./screen.mjs").Screen} screen
 * @property {Workspace} workspace
 * @property {import("./emulator.mjs").Emulator} emulator
 */

/**
 * @param {import("./screen.mjs").Screen} screen
 * @param {string} engine the folder of pulumi
 * @returns {Promise<Stage>}
 */
export async function openStage(screen, engine) {
  screen.heading("Start the emulator of the platform", "about 1 s");
  const workspace = new Workspace("environment", engine, screen);
  const emulator = await startEmulator(workspace.folder);
  screen.print(`Watch it while the demo runs: open ${emulator.url}/ in a browser`);
  workspace.variables["DATAPLATFORM_BASE_URL"] = emulator.url;
  workspace.variables["DATAPLATFORM_API_TOKEN"] = emulator.token;
  return { screen, workspace, emulator };
}

/** @param {Stage} stage */
export async function showProgram({ screen, workspace }) {
  screen.heading("A team's environment, as examples/environment declares it", "at once");
  screen.print(readFileSync(join(workspace.program, "index.ts"), "utf8").trimEnd());
}

/** @param {Stage} stage */
export async function create({ screen, workspace }) {
  screen.heading("pulumi up creates a team's environment", "about 15 s");
  await workspace.run("pulumi", "stack", "init", "dev");
  await workspace.run("pulumi", "config", "set", "--secret", "dbPasswd", "only-for-the-demo");
  await workspace.run("pulumi", "up", "--yes", "--skip-preview");
}

/** @param {Stage} stage */
export async function changeByHand({ screen, emulator }) {
  screen.heading("Somebody changes it by hand", "at once");
  const policy = JSON.stringify([{ access: "allow", action: ["all"], condition: { svc_groups: [everyone] } }]);
  await ask(emulator, "PUT", "/api/v1.2/object_policy/policy", { source_type: "note", source_id: "501", policy });
  screen.print("Somebody opens notebook 501 to everyone:");
  screen.print(`  PUT /api/v1.2/object_policy/policy\n      ${policy}`);
  const { account, entry } = await teamsOffice(emulator);
  const path = `/_emulator/state/whitelist/${entry.id}?account=${account.id}`;
  await ask(emulator, "DELETE", path);
  screen.print(`Somebody deletes the address ${entry.ip_cidr} of the team, as in the emulator's console:`);
  screen.print(`  DELETE ${path}`);
}

/** Of the environment, from its beginning until it is removed. */
export const life = [create, changeByHand, findDrift, repair, explainAccess];

/** @param {import("./emulator.mjs").Emulator} emulator */
export async function teamsOffice(emulator) {
  const { accounts } = /** @type {{ accounts: { id: number, whitelist: { id: number, ip_cidr: string }[] }[] }} */ (
    await ask(emulator, "GET", "/_emulator/state")
  );
  for (const account of accounts)
    for (const entry of account.whitelist) if (entry.ip_cidr === "203.0.113.7") return { account, entry };
  throw new ToolError("NOTHING_CREATED", "the platform does not list the address 203.0.113.7 of the environment");
}

/** @param {Stage} stage */
export async function findDrift({ screen, workspace }) {
  screen.heading("dataplatform drift finds it", "about 3 s");
  await workspace.run("dataplatform", "drift", "--only", "differences");
}

/** @param {Stage} stage */
export async function repair({ screen, workspace }) {
  screen.heading("pulumi up --refresh repairs it", "about 15 s");
  await workspace.run("pulumi", "up", "--refresh", "--yes", "--skip-preview");
  await workspace.run("dataplatform", "drift", "--only", "differences");
}

/** @param {Stage} stage */
export async function explainAccess({ screen, workspace }) {
  screen.heading("dataplatform access says who may do what, and why", "about 3 s");
  const people = ["analyst", "operator"].flatMap((name) => ["--user", `${name}@analytics.example.com`]);
  await workspace.run("dataplatform", "access", "--object", "note/501", ...people, "--group", "205=operators");
}

/** @param {Stage} stage */
export async function destroy({ screen, workspace }) {
  screen.heading("pulumi destroy removes it, and says what stays on the platform", "about 10 s");
  await workspace.run("pulumi", "destroy", "--yes", "--skip-preview");
}

/** @param {Stage} stage */
export function close({ workspace, emulator }) {
  emulator.stop();
  workspace.remove();
}
