import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { files } from "./layout.mjs";

/*
 * The engine starts this for dynamic resources, in the program's folder. It does what the script in `@pulumi/pulumi`
 * does (find that package's dynamic provider from there and run it), but as one process, so that a signal from the
 * engine reaches node; and it needs no node_modules to be made.
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
