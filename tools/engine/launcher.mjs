import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { files } from "./layout.mjs";

/*
 * The engine starts this for dynamic resources, in the program's folder. Like the script in `@pulumi/pulumi`, it finds
 * that package's dynamic provider from there and runs it, but as a single process, so that the engine's signals reach
 * node, and without needing node_modules at build time.
 */
const findProvider = "console.log(require.resolve('@pulumi/pulumi/cmd/dynamic-provider'))";

const posix = `#!/bin/sh
script=$(node -e "${findProvider}") || exit 1
exec node "$script" "$@"
`;

const windows = `@echo off
setlocal
for /f "delims=" %%i in ('node -e "${findProvider}"') do set SCRIPT=%%i
if DEFINED SCRIPT (
  @node "%SCRIPT%" %*
)
`;

/** @param {string} folder */
export function writeLauncher(folder) {
  const path = join(folder, files.launcher);
  writeFileSync(path, process.platform === "win32" ? windows : posix);
  chmodSync(path, 0o755);
}
