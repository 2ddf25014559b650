#!/usr/bin/env node
/** Makes the pictures of the README from one real run of the demonstration. */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { keyMoments, recording } from "./demo/recording.mjs";
import { Screen } from "./demo/screen.mjs";
import * as story from "./demo/story.mjs";
import { nodeParts } from "./engine/layout.mjs";
import { ensureEngine } from "./engine.mjs";
import { root } from "./lib/project.mjs";
import { isMain, main } from "./lib/say.mjs";
import { setUp } from "./setup.mjs";

const usage = `Usage: npm run pictures [-- --output FOLDER]

Runs the demonstration (npm run demo) and makes pictures of it: demo.svg, a recording of the terminal, and screenshots of
the emulator's console (console.png) and of the pages of dataplatform drift and access (drift.png, access.png).

Options:
  --output FOLDER   where they go; default docs/images
  --help            show this text`;

const viewport = { width: 1100, height: 640 };

/** @typedef {(name: string, url: string, ready: (page: import("playwright-core").Page) => Promise<unknown>) => Promise<void>} Shoot */

/** @param {{ output: string }} options */
async function makePictures({ output }) {
  await setUp();
  const engine = await ensureEngine({ parts: nodeParts });
  mkdirSync(output, { recursive: true });
  const { openBrowser } = await import("./lib/browser.mjs"); // Needs the installed packages.
  const browser = await openBrowser();
  /** @type {Shoot} */
  const shoot = async (name, url, ready) => {
    const page = await browser.newPage({ viewport, colorScheme: "light" });
    await page.goto(url);
    await ready(page);
    await page.screenshot({ path: join(output, name) });
    await page.close();
  };
  try {
    const acts = await play(engine, shoot);
    writeFileSync(join(output, "demo.svg"), recording(acts.map(keyMoments), acts.length - 4));
  } finally {
    await browser.close();
  }
  for (const name of ["demo.svg", "console.png", "drift.png", "access.png"])
    process.stdout.write(`${join(output, name)}: ${Math.ceil(statSync(join(output, name)).size / 1000)} kB\n`);
}

/**
 * @param {string} engine
 * @param {Shoot} shoot
 * @returns {Promise<import("./demo/screen.mjs").Act[]>} what the recording shows
 */
async function play(engine, shoot) {
  const screen = new Screen({ recording: true });
  const stage = await story.openStage(screen, engine);
  const { workspace, emulator } = stage;
  const report = async (/** @type {string} */ name, /** @type {string[]} */ ...options) => {
    screen.heading(`The page of dataplatform ${name}`, "about 3 s");
    await workspace.run("dataplatform", name, ...options, "--format", "html", "--output", `${name}.html`);
    return pathToFileURL(join(workspace.program, `${name}.html`)).href;
  };
  /** @type {Record<string, () => Promise<void>>} */
  const pictures = {
    create: async () => {
      const { account } = await story.teamsOffice(emulator);
      const url = `${emulator.url}/#${account.id}/whitelist`;
      await shoot("console.png", url, (page) => page.getByText("live", { exact: true }).waitFor());
    },
    findDrift: async () =>
      shoot("drift.png", await report("drift", "--only", "differences"), (page) =>
        page.evaluate('scrollTo(0, document.getElementById("list").getBoundingClientRect().bottom - innerHeight + 20)'),
      ),
    explainAccess: async () =>
      shoot("access.png", await report("access", "--group", "205=operators"), async (page) => {
        await page.locator("#cell-4-1").click(); // operator@…, notebook 501
        await page.evaluate('document.getElementById("cell-4-1").scrollIntoView({ block: "center" })');
      }),
  };
  const acts = [];
  for (const act of [...story.life, story.destroy]) {
    await act(stage);
    acts.push(...screen.acts.slice(-1));
    await pictures[act.name]?.();
  }
  story.close(stage);
  return acts;
}

if (isMain(import.meta.url)) {
  await main({ usage, options: { output: { type: "string", default: join(root, "docs/images") } } }, makePictures);
}
