#!/usr/bin/env node
import { UsageError } from "./errors";
import { packageVersion } from "./version";

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

/** Every error, wrong use included. Not 2: that is what `drift` says when there is drift, and a pipeline must not take a wrong option for it. */
const failure = 1;

const commands: Record<string, Command> = {
  doctor: {
    summary: "find out what keeps the provider from working, and how to fix it",
    load: () => import("./doctor.js"),
  },
  drift: { summary: "tell what differs between a stack and the platform", load: () => import("./drift.js") },
  export: { summary: "write a program for what exists on the platform", load: () => import("./export.js") },
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

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(usage());
    return name === undefined ? failure : 0;
  }
  if (name === "--version" || name === "-v") {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    process.stderr.write(`dataplatform: there is no command ${JSON.stringify(name)}\n\n${usage()}`);
    return failure;
  }
  const module = await command.load();
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(module.help);
    return 0;
  }
  return module.run(args);
}

const args = process.argv.slice(2);

main(args).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const hint = isUsageError(error) ? `\nRun "dataplatform ${args[0]} --help" to see what is allowed.` : "";
    process.stderr.write(`dataplatform: ${error instanceof Error ? error.message : String(error)}${hint}\n`);
    process.exitCode = failure;
  },
);

function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
