// Generates the sdk, the documentation pages and the tables of the README from the definitions. See tools/generate/.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../dist/tools/generate/main.js", import.meta.url));
const { status } = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
