// Loaded before a measured process: at its end, writes what it used. BENCH_UNTIL_OUTPUT ends it at its first output.
const { writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));
if (process.env.BENCH_UNTIL_OUTPUT) process.stdout.write = () => process.exit(0);
