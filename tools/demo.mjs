#!/usr/bin/env node
/**
 * Demonstrates the provider from a fresh clone: `npm run demo`, or `npm run demo -- --keep` to explore afterwards.
 */
import { listAddresses, startEmulator } from "./demo/emulator.mjs";
import { Workspace } from "./demo/workspace.mjs";
import { nodeParts } from "./engine/layout.mjs";
import { ensureEngine } from "./engine.mjs";
import { duration, isMain, main } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

const usage = `Usage: npm run demo [-- --keep]

Installs, builds, gets the Pulumi engine, starts the emulator, and runs pulumi up, a change, a preview and destroy on
examples/quickstart, in a temporary folder.

Options:
  --keep   keep the stack and the emulator running, and print how to use them
  --help   show this text`;

const started = Date.now();
let step = 0;

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`);

/** @param {string} title @param {string} time */
function heading(title, time) {
  step++;
  print(`\n── ${step}. ${title} (${time})`);
}

/** @param {{ keep: boolean }} options */
async function demo({ keep }) {
  heading("Install the packages and compile", "about 1 min the first time, later 1 s");
  await setUp({ log: print });
  heading("Get the Pulumi engine", "about ten minutes on two cores if it must be built, then at once");
  const engine = await ensureEngine({ parts: nodeParts, log: print });
  print(engine);
  const workspace = new Workspace("quickstart", engine);
  heading("Start the emulator of the platform", "about 1 s");
  const emulator = await startEmulator(workspace.folder);
  print(`${emulator.url}, process ${emulator.pid}`);
  workspace.variables["DATAPLATFORM_BASE_URL"] = emulator.url;
  workspace.variables["DATAPLATFORM_API_TOKEN"] = emulator.token;
  await show(workspace, emulator);
  if (keep) return leaveRunning(workspace, emulator);
  heading("pulumi destroy", "about 5 s");
  await workspace.pulumi("destroy", "--yes", "--skip-preview");
  await printAddresses(emulator);
  emulator.stop();
  workspace.remove();
  print(`\nDone in ${duration(Date.now() - started)}; the emulator is stopped and the temporary folder removed.

What to try next:
  npm run demo -- --keep           the same, but leaves the stack and the emulator running
  examples/quickstart/README.md    the program that just ran, and how to run it yourself
  npm test                         the whole suite`);
}

/**
 * @param {Workspace} workspace
 * @param {import("./demo/emulator.mjs").Emulator} emulator
 */
async function show(workspace, emulator) {
  heading("pulumi up on examples/quickstart: two addresses", "about 10 s");
  await workspace.pulumi("stack", "init", "demo");
  await workspace.pulumi("up", "--yes", "--skip-preview");
  await printAddresses(emulator);
  heading("The outputs of the stack", "about 1 s");
  await workspace.pulumi("stack", "output");
  heading("Change the office's address (a replacement) and add another, then pulumi up", "about 10 s");
  await workspace.pulumi("config", "set", "office", "198.51.100.20");
  await workspace.pulumi("config", "set", "--path", "addresses[0]", "192.0.2.44");
  await workspace.pulumi("up", "--yes", "--skip-preview", "--diff");
  await printAddresses(emulator);
  heading("A preview now shows no changes", "about 5 s");
  await workspace.pulumi("preview", "--expect-no-changes");
}

/** @param {import("./demo/emulator.mjs").Emulator} emulator */
async function printAddresses(emulator) {
  const addresses = await listAddresses(emulator);
  print(`The platform now lists: ${addresses.join(", ") || "no addresses"}`);
}

/**
 * @param {Workspace} workspace
 * @param {import("./demo/emulator.mjs").Emulator} emulator
 */
function leaveRunning(workspace, emulator) {
  const variables = workspace.writeVariables();
  workspace.forget();
  emulator.leave();
  print(`\nDone in ${duration(Date.now() - started)}. The stack and the emulator are still running. To use them:

  . ${variables}      # sets these:
${Object.entries(workspace.variables)
  .map(([name, value]) => `      ${name}=${value}`)
  .join("\n")}
  cd ${workspace.program}
  pulumi stack
  pulumi config set --path 'addresses[1]' 192.0.2.45 && pulumi up
  curl -H "X-AUTH-TOKEN: $DATAPLATFORM_API_TOKEN" "$DATAPLATFORM_BASE_URL/api/v1.2/whitelist_ip"
  curl "$DATAPLATFORM_BASE_URL/_emulator/requests"

To stop and remove everything:

  kill ${emulator.pid}; rm -rf ${workspace.folder}`);
}

if (isMain(import.meta.url)) {
  await main({ usage, options: { keep: { type: "boolean", default: false } } }, demo);
}
