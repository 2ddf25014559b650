import { parseArgs } from "node:util";
import { type Emulator, type Profile, parseReading, type Readings, type Seed, startEmulator } from "../emulator";
import { runSnapshot } from "./emulator/snapshot";
import { readJson } from "./files";
import { quoted } from "./terminal/quote";

export const help = `Usage: dataplatform emulator [options]
       dataplatform emulator snapshot save|load|delete NAME [--url URL]
       dataplatform emulator snapshot list [--url URL]

Runs an emulator of the platform's HTTP API until stopped with Ctrl+C. With "snapshot", saves the state
of a running one under a name, loads it again, deletes it, or lists the names.

Options:
  --port N      port to listen on; 0 picks a free one (default 4010)
  --host H      address to listen on (default 127.0.0.1; any other exposes its state to the network)
  --allow-host H
                also serve this host name; repeatable (localhost and the bound address are always served)
  --data FILE   keep the state in this file, and start from it if it exists
  --seed FILE   start from the state in this JSON file instead of the built-in seed
  --reading NAME=VALUE
                choose a behaviour that the specification leaves open; repeatable (docs/emulator-readings.md)
  --profile FILE
                answer like the platform that "dataplatform conform --profile-out" examined for this file
  --extended    also serve operations that installations have beyond the specification
  --url URL     address of the running emulator, for snapshot (default http://127.0.0.1:4010)
  --help        show this text

Exit code: 0 done, or stopped with Ctrl+C or SIGTERM, 1 an error.

Example:
  dataplatform emulator --port 0 --data emulator.jsonl
`;

type Options = ReturnType<typeof readOptions>;

export async function run(args: string[]): Promise<number> {
  if (args[0] === "snapshot") return runSnapshot(args.slice(1));
  const options = readOptions(args);
  const emulator = await start(options);
  process.stdout.write(greeting(emulator));
  if (emulator.restored)
    process.stderr.write(`state restored from ${options.data}${options.seed ? "; --seed was not used" : ""}\n`);
  await new Promise<void>((stop) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop());
  });
  await emulator.close();
  return 0;
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      "allow-host": { type: "string", multiple: true, default: [] },
      data: { type: "string" },
      seed: { type: "string" },
      reading: { type: "string", multiple: true, default: [] },
      profile: { type: "string" },
      extended: { type: "boolean", default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65535)
    throw new Error(`--port ${values.port} is not a port number; use 0 to 65535`);
  return {
    port,
    host: values.host,
    allowedHosts: values["allow-host"],
    data: values.data,
    seed: jsonIn<Seed>("seed", values.seed),
    readings: Object.assign({}, ...values.reading.map(parseReading)) as Partial<Readings>,
    /** Undefined: as the profile says. */
    extended: values.extended || undefined,
    profile: jsonIn<Profile>("profile", values.profile),
  };
}

/** The emulator checks what is in it. */
function jsonIn<T>(what: string, file: string | undefined): T | undefined {
  return file === undefined ? undefined : (readJson(`the ${what} file ${file}`, file) as T);
}

async function start(options: Options): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new Error(
        `port ${options.port} on ${options.host} is already in use; choose another with --port, or use --port 0 for a free one`,
      );
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new Error(`cannot listen on ${options.host} port ${options.port}: ${code}`);
    throw error;
  }
}

/** What the profile leaves open, for those who wonder why an operation is served or not. */
function notTriedLines({ extended, notTried }: Emulator): string[] {
  if (notTried.length === 0) return [];
  const what = `the profile does not say whether the platform has ${notTried.join(", ")}: not tried`;
  return extended
    ? [`${what}. The emulator serves them, since the platform has other extended operations`]
    : [`${what}. The emulator does not serve them; --extended would`];
}

function greeting(emulator: Emulator): string {
  const { url, tokens, extended } = emulator;
  return [
    `emulator listening on ${url}`,
    ...Object.entries(tokens).map(([alias, token]) => `${alias} token: ${token}`),
    `console: ${url}/`,
    `control: ${url}/_emulator/`,
    `openapi: ${url}/_emulator/openapi.json`,
    ...notTriedLines(emulator),
    "",
    ...settings(url, Object.values(tokens)[0], extended),
    "",
  ].join("\n");
}

/** What to paste so that a Pulumi program uses this emulator; a test compares it with the README. */
function settings(url: string, token: string | undefined, extended: boolean): string[] {
  if (token === undefined) return [];
  return [
    "Paste this into the terminal in which you run pulumi:",
    `export DATAPLATFORM_BASE_URL=${quoted(url)}`,
    `export DATAPLATFORM_API_TOKEN=${quoted(token)}`,
    ...(extended ? ["export DATAPLATFORM_EXTENDED_API=true"] : []),
    "",
    "Or store it in the stack's configuration:",
    `pulumi config set dataplatform:baseUrl ${quoted(url)}`,
    ...(extended ? ["pulumi config set dataplatform:extendedApi true"] : []),
    `pulumi config set --secret dataplatform:apiToken ${quoted(token)}`,
  ];
}
