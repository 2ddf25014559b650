import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modulesFrom } from "./modules.mjs";
import { filesUnder, placeholders, pluginPackages } from "./packages.mjs";
import { tarGz } from "./tar.mjs";

/** The names that the Pulumi CLI asks for; see `standardAssetName` in its sdk/go/common/workspace/plugins.go. */
const systems = ["darwin", "linux", "windows"];
const architectures = ["amd64", "arm64"];

/*
 * The CLI starts the file with the plugin's name in the folder that it unpacked, on Windows with `.exe` or `.cmd`
 * behind it. A PulumiPlugin.yaml instead would make the CLI run a package manager when it installs the plugin.
 */
const posix = `#!/bin/sh
exec node "$(dirname "$0")/dist/provider/plugin/main.js" "$@"
`;
const windows = '@echo off\r\nnode "%~dp0dist\\provider\\plugin\\main.js" %*\r\n';

/**
 * Writes one archive per platform. The plugin is JavaScript alone, so they differ in the launcher only and are all made
 * on any machine.
 * @param {{ root: string, version: string, folder: string }} options
 * @returns {string[]} the names of the files
 */
export function writePluginArchives({ root, version, folder }) {
  const common = contents(root);
  return systems.flatMap((system) => {
    const [ending, launcher] = system === "windows" ? [".cmd", windows] : ["", posix];
    const path = `pulumi-resource-dataplatform${ending}`;
    const archive = tarGz([...common, { path, content: Buffer.from(launcher), executable: true }]);
    return architectures.map((architecture) => {
      const name = `pulumi-resource-dataplatform-v${version}-${system}-${architecture}.tar.gz`;
      writeFileSync(join(folder, name), archive);
      return name;
    });
  });
}

/** @param {string} root @returns {import("./tar.mjs").Entry[]} */
function contents(root) {
  const provider = filesUnder(root, "dist/provider").filter(
    // Files with environments are read by programs, not by the plugin.
    (path) => path.endsWith(".js") && !path.startsWith("dist/provider/environment-files/"),
  );
  const components = filesUnder(root, "dist/sdk/components").filter((path) => path.endsWith(".js"));
  const compiled = new Set([...provider, ...modulesFrom(root, components).files]);
  const paths = ["LICENSE", "package.json", "sdk/schema.json", ...compiled, ...pluginPackages(root)];
  return [...placeholders, ...paths.map((path) => ({ path, content: readFileSync(join(root, path)) }))];
}
