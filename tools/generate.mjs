#!/usr/bin/env node
/** Generates the sdk, the documentation pages and the tables of the README from the definitions. See tools/generate/. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { main } from "./lib/say.mjs";

const usage = `Usage: npm run generate [-- --check]

Writes the classes and functions of sdk/, the schemas of sdk/, the pages of docs/components/, docs/resources/ and
docs/functions/, and the tables of the README from the definitions in provider/.

Options:
  --check   write nothing, and fail if a committed file is not what would be generated
  --help    show this text`;

await main({ usage, options: { check: { type: "boolean", default: false } } }, async ({ check }) => {
  const generator = fileURLToPath(new URL("../dist/tools/generate/main.js", import.meta.url));
  const { status } = spawnSync(process.execPath, [generator, ...(check ? ["--check"] : [])], { stdio: "inherit" });
  process.exitCode = status ?? 1;
});
