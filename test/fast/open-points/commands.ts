import { expect } from "vitest";
import { requestBody, type Submission } from "../../../provider/platform/commands/inputs";
import {
  commandOutputs,
  commandRecord,
  hasEnded,
  hasSucceeded,
  outputsFrom,
} from "../../../provider/platform/commands/record";
import { failed } from "../../../provider/platform/commands/wait";
import { answers } from "../../harness/emulators";
import { type Claims, call, lifeOf, refuses, requestsOf, warningsOf } from "./provider";

const sql = { spark: { sql: "select 1" } };
const copied = { src: "s3://a/b", dest: "s3://c/d" };
const copy = { s3DistCp: copied };
const refresh = { tableRefresh: { dbName: "default", hiveTable: "customers" } };
const bodyOf = (given: Submission) => requestBody(given) as Record<string, unknown>;
const argsOf = (s3DistCp: object) => String(bodyOf({ s3DistCp: { ...copied, ...s3DistCp } })["sub_command_args"]);
const refusesCopies = (...options: readonly object[]) =>
  refuses("Command", copy, ...options.map((option) => ({ s3DistCp: { ...copied, ...option } })));
const shown = (record: object) => outputsFrom(commandRecord.parse({ id: 1, ...record }));

const succeeded = ["done", "success", "succeeded", "completed", "finished"];
const unsuccessful = ["error", "failed", "failure", "cancelled", "canceled", "killed", "aborted", "terminated"];
const ended = [...succeeded, ...unsuccessful].map((one) => `\`${one}\``);

/** The sections "Commands" and "Command history". */
export const commands: Claims = {
  "Returns `uid` and `num_result_dir` as they come": () => {
    expect(shown({ uid: 7, num_result_dir: -1 })).toMatchObject({ uid: 7, numResultDir: -1 });
    const { uid, numResultDir } = shown({ num_result_dir: 0 });
    expect([uid, numResultDir]).toEqual([undefined, 0]);
  },

  "`getCommandHistory` returns `command` as it comes; nothing else reads it for a Spark command": async (on) => {
    const command = { program: null, pool: "etl" };
    const record = { id: 1, command_type: "SparkCommand", command };
    expect(outputsFrom(commandRecord.parse(record)).command).toBeUndefined();
    answers(on, "commands.history", 200, { commands: [record] });
    expect(await call(on, "getCommandHistory")).toMatchObject({ commands: [{ command }] });
  },

  [`Waits for ${ended.join(", ")} until its own timeout; any other status means still running, unless the command has an end time`]:
    async (on) => {
      expect(commandOutputs.status.description).toContain(`${ended.join(", ")};`);
      expect([...succeeded, ...unsuccessful].every((status) => hasEnded({ status }))).toBe(true);
      expect([succeeded, unsuccessful].map((list) => list.filter((status) => hasSucceeded({ status })))).toEqual([
        succeeded,
        [],
      ]);
      const inProgress = ["waiting", "running", "cancelling", "unknown"];
      expect(inProgress.filter((status) => hasEnded({ status, end_time: 1568763434 }))).toEqual([]);
      const odd = { status: "odd" };
      expect([odd, { ...odd, end_time: 1568763434 }, { ...odd, endTime: "2019-09-17" }].map(hasEnded)).toEqual([
        false,
        true,
        true,
      ]);
      answers(on, ["commands.submit", "commands.history"], 200, { id: 1, status: "odd", commands: [] });
      const waiting = lifeOf(on, "Command").life.create({ ...sql, wait: { timeoutSeconds: 1, intervalSeconds: 1 } });
      await expect(waiting).rejects.toThrow(/timed out after 1 s .* last seen with status odd/);
    },

  "Quotes `qlog` when it is a text, and always names the paths of logs and results": () => {
    const paths = "commands/1/logs.*commands/1/results";
    const messageOf = (qlog: unknown) => failed(commandRecord.parse({ id: 1, status: "error", qlog })).message;
    expect(messageOf("no such table")).toMatch(new RegExp(`no such table.*${paths}`, "s"));
    for (const other of [null, { code: 1 }]) expect(messageOf(other)).toMatch(new RegExp(`status error. .*${paths}`));
  },

  "Requires exactly one of the four at preview": () =>
    refuses(
      "Command",
      sql,
      { spark: {} },
      ...["program", "scriptLocation", "cmdline"].map((name) => ({ spark: { ...sql.spark, [name]: "x" } })),
    ),

  "Warns of a program without `language`, and sends it as it is": (on) => {
    const spark = { program: "print(1)" };
    expect(warningsOf(on, "Command", { spark })).toMatch(/language/);
    expect(bodyOf({ spark })).toMatchObject({ program: "print(1)", language: undefined });
  },

  "Requires `label` beside `appId` at preview": () =>
    refuses("Command", { spark: { sql: "select 1", appId: "3" }, label: "etl" }, { label: undefined }),

  "Takes macros of text only, each with a variable": () =>
    refuses("Command", { ...sql, macros: [{ day: "1" }] }, ...[1, true].map((day) => ({ macros: [{ day }] })), {
      macros: [{}],
    }),

  "Sends `template` with a table refresh only": () => {
    expect(bodyOf(refresh)).toHaveProperty("template", "s3import");
    for (const other of [sql, copy]) expect(bodyOf(other)).not.toHaveProperty("template");
  },

  "Sends loader values as texts: numbers as digits, texts as they are": () =>
    expect(
      [5, "soon"].map((loaderStable) => bodyOf({ tableRefresh: { ...refresh.tableRefresh, loaderStable } })),
    ).toMatchObject([{ loader_stable: "5" }, { loader_stable: "soon" }]),

  "Refuses dots, quotes and spaces in either name at preview": () =>
    refuses(
      "Command",
      refresh,
      ...["a.b", "a b", "'a'", '"a"', "`a`"].flatMap((name) => [
        { tableRefresh: { ...refresh.tableRefresh, hiveTable: name } },
        { tableRefresh: { ...refresh.tableRefresh, dbName: name } },
      ]),
    ),

  "With `wait`, `error` fails the resource": async (on) => {
    const { life } = lifeOf(on, "Command", { hurried: true });
    const absent = { tableRefresh: { dbName: "default", hiveTable: "nowhere" }, wait: true };
    await expect(life.create(absent)).rejects.toThrow(/ended with status error/);
  },

  "Requires `src` and `dest` at preview, unless all arguments are given as one text": () => {
    refusesCopies({ src: undefined }, { dest: undefined });
    refuses("Command", { s3DistCp: { subCommandArgs: "--help" } });
  },

  "Sends `sub_command_args` only, built from the options": () =>
    expect(bodyOf({ s3DistCp: { ...copied, targetSize: 5, deleteOnSuccess: true } })).toEqual({
      command_type: "HadoopCommand",
      sub_command: "s3distcp",
      sub_command_args: "--src s3://a/b --dest s3://c/d --targetSize 5 --deleteOnSuccess",
    }),

  "Quotes values with special characters, and refuses open quotes at preview": () => {
    expect(argsOf({ srcPattern: ".*a b" })).toContain("--srcPattern '.*a b'");
    refuses("Command", { s3DistCp: { subCommandArgs: "--src 'a b'" } }, { s3DistCp: { subCommandArgs: "--src 'a b" } });
  },

  "Requires sizes of at least 1 at preview": () =>
    refusesCopies(
      ...["targetSize", "multipartUploadChunkSize", "filesPerMapper"].map((name) => ({ [name]: 0, groupBy: "(a)" })),
    ),

  "Refuses `startingIndex` or `copyFromManifest` alone at preview": () =>
    refusesCopies({ startingIndex: 1 }, { copyFromManifest: true }),

  "Refuses a `groupBy` without a group that captures, at preview": () => {
    refuses("Command", { s3DistCp: { ...copied, groupBy: "(a)" } });
    refusesCopies({ groupBy: "(?:a)" }, { groupBy: "\\(a\\)" }, { groupBy: "a" });
  },

  "Sends all parameters in the query, a boolean as `true`": async (on) => {
    const [request] = await requestsOf(on, () => call(on, "getCommandHistory", { includeQueryProperties: true }));
    expect(request).toMatchObject({ path: expect.stringMatching(/\?.*include_query_properties=true/) });
    expect(Object.keys(request!.body ?? {})).toEqual([]);
  },

  "Sends the dates as they are": async (on) => {
    answers(on, "commands.history", 200, { commands: [] });
    const range = { startDate: "2026-03-01", endDate: "2026-02-30" };
    const [request] = await requestsOf(on, () => call(on, "getCommandHistory", range));
    expect(request!.path).toMatch(/start_date=2026-03-01&end_date=2026-02-30/);
  },

  "Sends `start_date` if it knows when the command was submitted; otherwise only to look further back than the default":
    async (on) => {
      answers(on, "commands.history", 200, { commands: [] });
      const starts = async (state: object) => {
        const read = () => lifeOf(on, "Command").life.read("4711", { status: "waiting", ...state });
        return (await requestsOf(on, read)).map(({ path }) => /start_date=([^&]*)/.exec(path)?.[1]);
      };
      expect(await starts({ createdAt: "2026-01-02T03:04:05Z" })).toEqual([
        expect.stringMatching(/^2026-01-02/),
        expect.stringMatching(/^2026-01-01/),
      ]);
      expect(await starts({})).toEqual([undefined, "2000-01-01"]);
    },
};
