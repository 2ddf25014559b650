#!/usr/bin/env node
/** Checks .github/workflows with actionlint, which it builds with Go, once per machine: `npm run lint:workflows`. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureGoTool } from "./engine/go-tool.mjs";
import { root } from "./lib/project.mjs";
import { run } from "./lib/run.mjs";
import { isMain, main, say, ToolError } from "./lib/say.mjs";

const workflows = ".github/workflows";

/** @param {(text: string) => void} [log] @returns {Promise<string>} the path of actionlint */
export function ensureActionlint(log = say) {
  const tool = {
    name: "actionlint",
    folder: join(root, "tools/actionlint"),
    package: "github.com/rhysd/actionlint/cmd/actionlint",
    duration: "about half a minute",
    failure: "ACTIONLINT_BUILD_FAILED",
  };
  return ensureGoTool(tool, log);
}

/** @param {string} [folder] @returns {Promise<string>} what is wrong, a line each; empty when all is well */
export async function lintWorkflows(folder = join(root, workflows)) {
  const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name));
  // Without the linters for scripts, which are there on some machines and not on others.
  const args = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", ...names];
  const result = await run(await ensureActionlint(), args, { cwd: folder });
  return result.code === 0 ? "" : (result.stdout + result.stderr).trim();
}

const usage = `Usage: npm run lint:workflows

Checks ${workflows} with actionlint, which it builds with Go, once per machine.

Options:
  --help   show this text`;

if (isMain(import.meta.url)) {
  await main({ usage, options: {} }, async () => {
    const found = await lintWorkflows();
    if (found) throw new ToolError("WORKFLOWS_WRONG", `actionlint found in ${workflows}:\n${found}`);
    say(`${workflows}: actionlint finds nothing wrong`);
  });
}
