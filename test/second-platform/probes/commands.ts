import type { commands } from "../switches/commands";
import { api, at, type More, type Probe, type Tester, watch } from "./tester";

type Json = Record<string, unknown>;
const spark = { command_type: "SparkCommand", language: "python", program: "print(1)" };

const submit = async (t: Tester, body: Json) => {
  const reply = await t.post(api.commands, body);
  return { ...reply, json: reply.json as Json };
};
const history = (t: Tester, query: Record<string, string> = {}, more: More = {}) =>
  t.get(api.commands, { query, ...more });
const tagged = (t: Tester, query: Record<string, string> = {}) =>
  history(t, { include_query_properties: "true", ...query });
const ids = (json: unknown) => (at(json, "commands") as { id: number }[] | undefined)?.map((one) => one?.id);
const clean = (text: string) =>
  text.replace(/\d{4}-\d\d-\d\d(T[^"]*)?/g, "time").replace(/"submit_time":\d+/g, '"submit_time":0');
const newest = async (t: Tester, query: Record<string, string> = {}) =>
  at((await history(t, { per_page: "1", ...query })).json, "commands", 0) as Json;
/** A field of the newest command in the answer to its submission and in two views of the history. */
const field = async (t: Tester, name: string, body: Json = spark) => {
  const { json } = await submit(t, body);
  return [json[name], (await newest(t))[name], name in json];
};
const shape = (value: unknown) => String(value).replace(/\d/g, "0");

export const commandProbes: Record<keyof typeof commands, Probe> = {
  lengthsIn: async (t) => {
    const emoji = "\u{1F600}";
    const names = [emoji.repeat(128), emoji.repeat(60), "\u00e9".repeat(128)];
    const seen = [];
    for (const name of names) seen.push((await submit(t, { ...spark, name })).status);
    return seen;
  },
  macroValues: async (t) => (await submit(t, { ...spark, macros: [{ a: 1 }] })).status,
  submissionAnswer: async (t) => Object.keys((await submit(t, spark)).json),
  commandCreatedAt: async (t) => {
    await submit(t, spark);
    const one = await newest(t);
    return ["created_at" in one, typeof one["created_at"], shape(one["created_at"])];
  },
  tagsPlace: async (t) => clean((await tagged(t)).text),
  tagsWhen: async (t) => clean((await history(t)).text),
  tagsOfUntagged: async (t) => clean((await tagged(t)).text),
  tagsDelay: async (t) => {
    await submit(t, { ...spark, tags: ["a"] });
    return watch(t, async () => at((await tagged(t)).json, "commands", 0, "tags"));
  },
  tagsInSubmission: async (t) => (await submit(t, { ...spark, tags: ["a"] })).json["tags"] ?? null,
  tagsChanged: async (t) => {
    await submit(t, { ...spark, tags: ["B", "a", "a", " c "] });
    return at((await tagged(t)).json, "commands", 0, "tags");
  },
  commentsForm: async (t) => clean((await tagged(t)).text),
  historyDelay: async (t) => {
    await submit(t, spark);
    return watch(t, async () => ids((await history(t)).json)?.length);
  },
  historyOrder: async (t) => {
    await submit(t, spark);
    return ids((await history(t, { all_users: "1" })).json);
  },
  historyPageSize: async (t) => at((await history(t)).json, "paging_info", "per_page"),
  historyPageEnd: async (t) => (await history(t)).text.slice(0, 80).replace(/"commands".*/, ""),
  historyPageNumbers: async (t) => at((await history(t, { per_page: "1" })).json, "paging_info"),
  historyBeyondEnd: async (t) => {
    const reply = await history(t, { page: "9" });
    return [reply.status, ids(reply.json)];
  },
  historyPerPageAbove: async (t) => {
    const reply = await history(t, { per_page: "101" });
    return [reply.status, at(reply.json, "paging_info", "per_page")];
  },
  historyShift: async (t) => ids((await history(t, { per_page: "1", page: "2" })).json),
  historyBothSources: async (t) => {
    const reply = await t.send("GET", api.commands, { per_page: 2 }, { query: { per_page: "3" } });
    return [reply.status, at(reply.json, "paging_info", "per_page")];
  },
  historyFlag: async (t) => [
    (await history(t, { include_query_properties: "true" })).text.includes('"tags"'),
    (await history(t, { include_query_properties: "1" })).text.includes('"tags"'),
  ],
  historyAllUsers: async (t) => {
    const reply = await history(t, { all_users: "1" }, { token: t.platform.tokens.analyst });
    return [reply.status, ids(reply.json)];
  },
  historyEndDate: async (t) => {
    await submit(t, spark);
    const today = new Date().toISOString().slice(0, 10);
    return ids((await history(t, { end_date: today })).json)?.length;
  },
  historyBadDate: async (t) => {
    const reply = await history(t, { start_date: "yesterday" });
    return [reply.status, ids(reply.json)];
  },
  historyRange: async (t) => {
    const reply = await history(t, { start_date: "2020-01-01" });
    return [reply.status, ids(reply.json)];
  },
  historyCommandObject: async (t) => clean((await history(t)).text),
  historyOddRecord: async (t) => clean((await history(t)).text),
  statusCourse: async (t) => {
    await submit(t, spark);
    const seen = [];
    for (let i = 0; i < 3; i += 1) seen.push((await newest(t))["status"]);
    return seen;
  },
  submitTime: async (t) => {
    const [value] = await field(t, "submit_time");
    return [typeof value, shape(value)];
  },
  runTimes: async (t) => {
    const value = (await newest(t))["start_time"];
    return [typeof value, shape(value)];
  },
  qlog: (t) => field(t, "qlog"),
  resolvedMacros: (t) => field(t, "resolved_macros", { ...spark, macros: [{ day: "1" }] }),
  uid: async (t) => [
    await field(t, "uid"),
    (await submit(t, { template: "s3import", db_name: "d", hive_table: "t" })).json["uid"],
  ],
  labelDefault: (t) => field(t, "label"),
  timeoutEcho: async (t) => [await field(t, "timeout"), await field(t, "timeout", { ...spark, timeout: 90 })],
  nameEcho: (t) => field(t, "name", { ...spark, name: " My Name " }),
  sparkCommandObject: (t) => field(t, "command"),
  sparkLanguages: async (t) => [
    (await submit(t, { ...spark, language: "kotlin" })).status,
    (await submit(t, { ...spark, language: "R" })).status,
  ],
  sparkSource: async (t) => [
    (await submit(t, { command_type: "SparkCommand", label: "spark" })).status,
    (await submit(t, { ...spark, script_location: "s3://b/x.py" })).status,
  ],
  cmdlineExcludes: async (t) =>
    (await submit(t, { command_type: "SparkCommand", language: "command_line", cmdline: "spark-submit x", label: "l" }))
      .status,
  largeScripts: async (t) => (await submit(t, { ...spark, program: "x".repeat(2000) })).status,
  refreshCommandType: async (t) => {
    const refresh = { template: "s3import", db_name: "d", hive_table: "t" };
    return [(await submit(t, refresh)).status, (await submit(t, { ...refresh, command_type: "HiveCommand" })).status];
  },
  refreshStable: async (t) =>
    at((await submit(t, { template: "s3import", db_name: "d", hive_table: "t", loader_stable: "2" })).json, "command"),
  unknownCommandType: async (t) => (await submit(t, { command_type: "PigCommand" })).status,
  distCpParameters: async (t) => {
    const body = { command_type: "HadoopCommand", sub_command: "s3distcp", sub_command_args: "--src a", dest: "b" };
    const reply = await submit(t, body);
    return [reply.status, reply.json["command"]];
  },
  distCpFailures: async (t) => {
    const args = "--src a --dest b --groupBy '.*x.*'";
    const reply = await submit(t, { command_type: "HadoopCommand", sub_command: "s3distcp", sub_command_args: args });
    return [reply.status, (await newest(t))["status"]];
  },
  distCpQuotes: async (t) => {
    const base = { command_type: "HadoopCommand", sub_command: "s3distcp" };
    const seen = [];
    for (const args of ["--srcPattern .*x", "--srcPattern '.*x'", "'--srcPattern .*x'", "--srcPattern=.*x"])
      seen.push((await submit(t, { ...base, sub_command_args: args })).status);
    return [seen, (await newest(t))["status"]];
  },
  distCpCompanions: async (t) => {
    const base = { command_type: "HadoopCommand", sub_command: "s3distcp" };
    return (await submit(t, { ...base, sub_command_args: "--src a --dest b --startingIndex 3" })).status;
  },
  sparkAppId: async (t) => (await submit(t, { ...spark, app_id: "7" })).status,
  macrosForm: async (t) => (await submit(t, { ...spark, macros: [{ a: "1", b: "2" }] })).status,
};

/** Readings that are only visible together with another one. */
export const commandCompany = {
  runTimes: { statusCourse: "done at once" },
} as const;
