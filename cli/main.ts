#!/usr/bin/env node
import { didYouMean, UsageError } from "./errors";
import { asTyped } from "./terminal/as-typed";
import { packageVersion } from "./version";

/** The exports of a command's module, which is loaded only when the command runs. */
interface CommandModule {
  help: string;
  /** Resolves to the exit code. */
  run(args: string[]): Promise<number>;
}

interface Command {
  summary: string;
  load(): Promise<CommandModule>;
}

/** For every error, including wrong usage. Not 2, which means drift, low coverage or gained access: a CI job must not mistake a bad option for it. */
const failure = 1;

const commands: Record<string, Command> = {
  doctor: {
    summary: "find out why the provider does not work, and how to fix it",
    load: () => import("./doctor.js"),
  },
  access: { summary: "say who may do what, and what a plan would change", load: () => import("./access.js") },
  drift: {
    summary: "compare a stack with the platform, or find what is in no stack",
    load: () => import("./drift.js"),
  },
  rehearse: { summary: "run the next update against a copy of the account", load: () => import("./rehearse.js") },
  export: { summary: "generate a program from an existing account", load: () => import("./export.js") },
  conform: {
    summary: "check whether a platform answers as the specification says",
    load: () => import("./conform.js"),
  },
  pipeline: {
    summary: "preview pull requests, and apply what was approved",
    load: () => import("./pipeline.js"),
  },
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
    asTyped('Run "dataplatform <command> --help" for details, "dataplatform --version" for the version.'),
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
    const hint = name === "coverage" ? "; did you mean drift --coverage?" : didYouMean(name, Object.keys(commands));
    process.stderr.write(`dataplatform: unknown command ${JSON.stringify(name)}${hint}\n\n${usage()}`);
    return failure;
  }
  const module = await command.load();
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(module.help);
    return 0;
  }
  return module.run(args).catch((error: unknown) => {
    throw withMeantOption(error, module.help);
  });
}

/** An unknown option is probably one that the command's help names, in another spelling. */
function withMeantOption(error: unknown, help: string): unknown {
  const given = isUsageError(error) ? /^Unknown option '(-[^']+)'/.exec((error as Error).message)?.[1] : undefined;
  if (given === undefined) return error;
  const options = [...new Set([...help.matchAll(/--([a-z][a-z-]*)/g)].map(([, name]) => name!))];
  const hint = didYouMean(given.replace(/^-+/, ""), options, "--");
  return new UsageError(`unknown option ${given}${hint}\n${help.split("\n", 1)[0]}`);
}

// Who reads the output may stop, such as "head": what was begun goes on to its end, and its report is written.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

const args = process.argv.slice(2);

main(args).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const hint = isUsageError(error) ? `\nRun "dataplatform ${args[0]} --help" for usage.` : "";
    process.stderr.write(`dataplatform: ${asTyped(`${error instanceof Error ? error.message : error}${hint}`)}\n`);
    process.exitCode = failure;
  },
);

function isUsageError(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
