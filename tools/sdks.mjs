#!/usr/bin/env node
/** Generates the Python and Go SDKs from sdk/schema.json with Pulumi's own generators: `npm run sdks`. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureGoTool } from "./engine/go-tool.mjs";
import { engineVersion } from "./engine/layout.mjs";
import { root } from "./lib/project.mjs";
import { run } from "./lib/run.mjs";
import { isMain, main, readList, say, ToolError } from "./lib/say.mjs";
import { addUnknowns } from "./sdks/python.mjs";

export const languages = /** @type {const} */ (["python", "go"]);

/** @typedef {(typeof languages)[number]} Language */

export const generatorFolder = join(root, "tools/engine/cli");

/**
 * @param {object} [options]
 * @param {readonly Language[]} [options.only]
 * @param {string} [options.out] each language gets a folder of its own in it, which is replaced
 * @param {(text: string) => void} [options.log]
 */
export async function generateSdks({ only = languages, out = join(root, "sdks"), log = say } = {}) {
  const generator = await ensureGoTool(
    {
      name: "sdks",
      folder: generatorFolder,
      sources: ["sdks/main.go"],
      package: "./sdks",
      duration: "seconds where Go has built the engine, else about two minutes",
      failure: "SDK_GENERATOR_BUILD_FAILED",
    },
    log,
  );
  for (const language of only) rmSync(join(out, language), { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const schema = join(root, "sdk/schema.json");
  const result = await run(generator, [schema, out, ...only], { cwd: root });
  if (result.code !== 0)
    throw new ToolError("SDKS_FAILED", `Pulumi's generator refused sdk/schema.json:\n${result.stderr.trim()}`);
  if (only.includes("go")) writeGoModule(join(out, "go"));
  if (only.includes("python")) {
    // Its pyproject.toml names the page of the package, which the generator puts one folder further down.
    copyFileSync(join(out, "python/pulumi_dataplatform/README.md"), join(out, "python/README.md"));
    addUnknowns(join(out, "python"), JSON.parse(readFileSync(schema, "utf8")));
  }
}

/** The generator names the module in its imports, and leaves go.mod to us. @param {string} folder */
function writeGoModule(folder) {
  const source = readFileSync(join(folder, "dataplatform/provider.go"), "utf8");
  const [, name] = /"(.+)\/dataplatform\/internal"/.exec(source) ?? [];
  const file = join(folder, "go.mod");
  if (!name || existsSync(file)) throw new ToolError("SDKS_FAILED", "the Go SDK is not laid out as expected");
  const needed = `require (\n\tgithub.com/blang/semver v3.5.1+incompatible\n\tgithub.com/pulumi/pulumi/sdk/v3 v${engineVersion}\n)\n`;
  writeFileSync(file, `module ${name}\n\ngo 1.25\n\n${needed}`);
}

const usage = `Usage: npm run sdks [-- --languages python,go --out FOLDER]

Generates the SDKs for other languages from sdk/schema.json with Pulumi's own generators, which it builds with Go, once
per machine. Writes sdks/python and sdks/go, which are not committed.

Options:
  --languages LIST   ${languages.join(", ")} (default: all)
  --out FOLDER       where to write them (default: sdks)
  --help             show this text`;

/** @param {string} name */
function noSuchLanguage(name) {
  return new ToolError("UNKNOWN_LANGUAGE", `--languages: there is no "${name}"; use ${languages.join(", ")}.`);
}

if (isMain(import.meta.url)) {
  const options = /** @type {const} */ ({
    languages: { type: "string", default: languages.join(",") },
    out: { type: "string", default: join(root, "sdks") },
  });
  await main({ usage, options }, async ({ languages: names, out }) => {
    const only = readList(names, languages, noSuchLanguage);
    await generateSdks({ only, out: resolve(out) });
    say(`${only.map((language) => join(out, language)).join(" and ")}: generated`);
  });
}
