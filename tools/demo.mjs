#!/usr/bin/env node
/**
 * Demonstrates the provider from a fresh clone: `npm run demo`, or `npm run demo -- --keep` to explore afterwards.
 */
import { Screen } from "./demo/screen.mjs";
import * as story from "./demo/story.mjs";
import { nodeParts } from "./engine/layout.mjs";
import { ensureEngine } from "./engine.mjs";
import { duration, isMain, main } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

const usage = `Usage: npm run demo [-- --keep]

Installs, builds, gets the Pulumi engine, starts the emulator, and shows the life of a team's environment
(examples/environment), in a temporary folder: pulumi up, changes by hand, dataplatform drift, a repair, dataplatform
access, pulumi destroy.

Options:
  --keep   keep the stack and the emulator running, and print how to use them
  --help   show this text`;

const started = Date.now();

/** @param {{ keep: boolean }} options */
async function demo({ keep }) {
  const screen = new Screen();
  const log = (/** @type {string} */ text) => screen.print(text);
  screen.heading("Install the packages and compile", "about 1 min the first time, later 1 s");
  await setUp({ log });
  screen.heading("Get the Pulumi engine", "about ten minutes on two cores if it must be built, then at once");
  const engine = await ensureEngine({ parts: nodeParts, log });
  screen.print(engine);
  const stage = await story.openStage(screen, engine);
  for (const act of [story.showProgram, ...story.life]) await act(stage);
  if (keep) return leaveRunning(stage);
  await story.destroy(stage);
  story.close(stage);
  screen.print(`\nDone in ${duration(Date.now() - started)}; the emulator is stopped and the temporary folder removed.

What to try next:
  npm run demo -- --keep           the same, but leaves the stack and the emulator running
  examples/environment/README.md   the program that just ran, and how to run it yourself
  README.md                        first steps with a project of your own, in TypeScript
  docs/quickstart-python.md        the same in Python; beside it those for Go and YAML
  npm test                         the whole suite`);
}

/** @param {import("./demo/story.mjs").Stage} stage */
function leaveRunning({ screen, workspace, emulator }) {
  const variables = workspace.writeVariables();
  workspace.forget();
  emulator.leave();
  screen.print(`\nDone in ${duration(Date.now() - started)}. The stack and the emulator are still running. To use them:

  . ${variables}      # sets these:
${Object.entries(workspace.variables)
  .map(([name, value]) => `      ${name}=${value}`)
  .join("\n")}
  cd ${workspace.program}
  pulumi config set --path 'addresses[2]' 192.0.2.45 && pulumi up
  dataplatform drift --format html --output drift.html
  dataplatform access --format html --output access.html
  curl "$DATAPLATFORM_BASE_URL/_emulator/requests"

The emulator's console is at ${emulator.url}/. To stop and remove everything:

  kill ${emulator.pid}; rm -rf ${workspace.folder}`);
}

if (isMain(import.meta.url)) {
  await main({ usage, options: { keep: { type: "boolean", default: false } } }, demo);
}
