import { expect } from "vitest";
import type { Emulator } from "../../emulator";
import { request } from "../harness/http";
import {
  accountIn,
  type BadInput,
  type EmulatorState,
  type ExtendedLife,
  type LifecycleCase,
  replace,
  update,
} from "../harness/lifecycle";

const spark = { sql: "select 1" };
const wait = { interval: 1, timeout: 60 };
const base = { spark, triggers: { version: "1" }, wait };
const commandsOf = (state: EmulatorState) => accountIn(state).commands;

async function set(emulator: Emulator, settings: object): Promise<void> {
  await request(emulator, "POST", "/_emulator/settings", settings);
}

/** Makes commands end at once, so that no test waits for them. */
const quick = (emulator: Emulator) => set(emulator, { waitSeconds: 0, runSeconds: 0 });

/** Makes commands wait until they are killed, so that nothing about them changes by itself. */
const endless = (emulator: Emulator) => set(emulator, { waitSeconds: 86_400, runSeconds: 0 });

const badIn =
  (what: string, good: object = {}) =>
  (args: object, property: string, says: string): BadInput => [
    { [what]: { ...good, ...args } },
    property === "" ? what : `${what}.${property}`,
    says,
  ];
const badSpark = badIn("spark");
const badCopy = badIn("s3DistCp", { src: "s3://a/b", dest: "s3://c/d" });
const badRaw = (subCommandArgs: string, says: string) => badIn("s3DistCp")({ subCommandArgs }, "subCommandArgs", says);
const badRefresh = badIn("tableRefresh", { dbName: "a", hiveTable: "b" });

const sealed = {
  src: "s3://raw/a",
  dest: "s3://sealed/a",
  s3ServerSideEncryption: true,
  s3SSEAlgorithm: "SSE-C",
  encryptionKey: "canary-key",
};

export const life: LifecycleCase = {
  type: "Command",
  args: base,
  secrets: { args: { s3DistCp: sealed }, create: "commands.submit", read: "commands.history" },
  prepare: quick,
  present: (state, id) => {
    expect(commandsOf(state).map((command) => String(command.id))).toEqual([id]);
    expect(commandsOf(state)[0]).toMatchObject({ command_type: "SparkCommand", command: { sql: "select 1" } });
  },
  absent: (state) => expect(commandsOf(state)).toHaveLength(3),
  kept: "command ID (done) stays in the platform's history",
  changes: [
    update("how to wait", { ...base, wait: { interval: 2 } }, { "commands.submit": 0, "commands.history": 1 }),
    replace("a trigger", { ...base, triggers: { version: "2" } }, { "commands.submit": 1 }),
    replace(
      "another command",
      { tableRefresh: { dbName: "default", hiveTable: "customers" }, wait },
      { "commands.submit": 1 },
    ),
  ],
  bad: [
    [{ wait }, "spark", "set exactly one of spark, s3DistCp, tableRefresh"],
    [{ spark, tableRefresh: { dbName: "a", hiveTable: "b" } }, "tableRefresh", "must not be combined with spark"],
    [{ spark, name: "x".repeat(256) }, "name", "must have at most 255 characters"],
    ...["&", "<b>", '"', "'"].map(
      (mark): BadInput => [{ spark, name: `a${mark}b` }, "name", "must not contain &, <, >, quotes"],
    ),
    [{ spark, tags: ["x".repeat(256)] }, "tags[0]", "must have at most 255 characters"],
    [{ spark, macros: [{}] }, "macros[0]", "must map a variable to its expression"],
    [{ spark, timeout: 0 }, "timeout", "must be at least 1"],
    [{ spark, timeout: 1.5 }, "timeout", "must be an integer"],
    [{ spark, wait: { interval: 0.5 } }, "wait.interval", "must be at least 1"],
    [{ spark, wait: { timeout: 0 } }, "wait.timeout", "must be greater than 0"],
    badSpark({}, "", "set exactly one of program, sql, scriptLocation, cmdline"),
    badSpark({ sql: "a", scriptLocation: "b" }, "scriptLocation", "must not be combined with sql"),
    badSpark({ cmdline: "x", arguments: "y" }, "arguments", "not be combined with cmdline"),
    badSpark({ cmdline: "x", retry: 1 }, "retry", "must not be combined with cmdline"),
    badSpark({ cmdline: "x", language: "scala" }, "language", 'it must be "command_line"'),
    badSpark({ sql: "x", language: "python" }, "language", 'with sql, it must be "sql"'),
    badSpark({ program: "x", language: "" }, "language", "must not be empty"),
    badSpark({ sql: "x", retry: 0 }, "retry", "must be 1, 2 or 3"),
    badSpark({ sql: "x", retry: 4 }, "retry", "must be 1, 2 or 3"),
    badSpark({ sql: "x", appId: "7" }, "", "has an appId, which needs a label"),
    badSpark({ sql: "x", script_location: "y" }, "script_location", "is not a known property"),
    badCopy({ src: "s3://my_bucket/a" }, "src", "bucket names with an underscore are not supported"),
    badCopy({ dest: "s3n://my_bucket" }, "dest", 'has the bucket "my_bucket"'),
    badCopy({ groupBy: ".*\\(x\\)" }, "groupBy", "has no parenthesised group"),
    badCopy({ groupBy: "(a)", srcPattern: "b" }, "groupBy", "not be combined with srcPattern"),
    badCopy({ s3SSEAlgorithm: "SSE-C" }, "encryptionKey", "is required with s3SSEAlgorithm SSE-C"),
    badCopy({ groupBy: "(a)", targetSize: 0 }, "targetSize", "must be at least 1"),
    badCopy({ multipartUploadChunkSize: 0 }, "multipartUploadChunkSize", "must be at least 1"),
    badCopy({ filesPerMapper: 0 }, "filesPerMapper", "must be at least 1"),
    badCopy({ numberFiles: true, startingIndex: -1 }, "startingIndex", "must be at least 0"),
    badCopy({ startingIndex: 1 }, "startingIndex", "allowed only with numberFiles"),
    badCopy({ copyFromManifest: true }, "copyFromManifest", "needs previousManifest"),
    badCopy({ subCommandArgs: "--src a" }, "subCommandArgs", "remove src, dest"),
    badRaw("--src 'a", "has an unclosed quote"),
    badRaw("--src a --dest b --srcPattern .*", "put the expression of --srcPattern in single quotes"),
    badRaw("--src a --dest b --encryptionKey x", "pass the key as encryptionKey"),
    badRaw("--src a --dest b --groupBy='x*'", '--groupBy is "x*", which has no parenthesised group'),
    badRaw("-Da=b --src s3://a_b/c --dest b", "--src has the bucket"),
    badRefresh({ hiveTable: "a.b" }, "hiveTable", "must be a plain name, without dots, quotes or spaces"),
    badRefresh({ template: "generic" }, "template", "is not a known property"),
  ],
  badLater: {
    args: { spark: { sql: { $later: "select 1" }, language: { $later: "python" } } },
    says: 'with sql, it must be "sql"',
  },
  forbidden: { token: "powerless", says: "submitting a command" },
};

const killed = { spark, triggers: { version: "1" }, onDestroy: "kill" };

export const extended: ExtendedLife = {
  type: "Command",
  args: killed,
  prepare: endless,
  present: (state, id) => expect(commandsOf(state).map((command) => String(command.id))).toEqual([id]),
  changes: [
    update("whether to kill it", { ...killed, onDestroy: "keep" }),
    update("back again", killed),
    replace("a trigger, which kills the old one", { ...killed, triggers: { version: "2" } }, (state) =>
      expect(commandsOf(state).filter(({ plan }) => plan.cancelAt !== undefined)).toHaveLength(1),
    ),
  ],
  absent: (state) => {
    expect(commandsOf(state)).toHaveLength(2);
    for (const { plan } of commandsOf(state)) expect(plan.cancelAt).toBeTypeOf("number");
  },
};
