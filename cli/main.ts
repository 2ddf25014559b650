#!/usr/bin/env node
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What a command's module exports. Modules are loaded only when their command is called. */
export interface CommandModule {
  help: string;
  /** Resolves to the exit code. */
  run(args: string[]): Promise<number>;
}

interface Command {
  summary: string;
  load(): Promise<CommandModule>;
}

const commands: Record<string, Command> = {
  emulator: { summary: "run an emulator of the platform's HTTP API", load: () => import("./emulator.js") },
};

function usage(): string {
  const names = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`);
  return [
    "Usage: dataplatform <command> [options]",
    "",
    "Commands:",
    ...names,
    "",
    "dataplatform <command> --help tells more; dataplatform --version prints the version.",
    "",
  ].join("\n");
}

function version(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
  }
  return "unknown";
}

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(usage());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`dataplatform: there is no command ${JSON.stringify(name)}\n\n${usage()}`);
    return 2;
  }
  const module = await command.load();
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(module.help);
    return 0;
  }
  return module.run(args);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`dataplatform: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = isUsageError(error) ? 2 : 1;
  },
);

function isUsageError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
