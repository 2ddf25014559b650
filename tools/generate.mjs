#!/usr/bin/env node
/** Generates the sdk, the documentation pages and the tables of the README from the definitions. See tools/generate/. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "./build.mjs";
import { register } from "./lib/registrations.mjs";
import { main } from "./lib/say.mjs";

const usage = `Usage: npm run generate [-- --check]

Writes the classes and functions of sdk/, the schemas of sdk/, the pages of docs/components/, docs/resources/ and
docs/functions/, and the tables of the README from the definitions in provider/. Lists new definitions, routes of the
emulator and cases of the tests in the indexes of their folders first.

Options:
  --check   write nothing, and fail if a committed file is not what would be generated
  --help    show this text`;

await main({ usage, options: { check: { type: "boolean", default: false } } }, async ({ check }) => {
  const changed = register({ check });
  if (changed.length > 0)
    console.log(`${check ? 'out of date, run "npm run generate":' : "generated"} ${changed.join(", ")}`);
  if (!check) await build();
  const generator = fileURLToPath(new URL("../dist/tools/generate/main.js", import.meta.url));
  const { status } = spawnSync(process.execPath, [generator, ...(check ? ["--check"] : [])], { stdio: "inherit" });
  process.exitCode = check && changed.length > 0 ? 1 : (status ?? 1);
});
