import type { extendedCommands } from "../../switches/extended/commands";
import { type More, type Probe, type Tester, timeless } from "../tester";
import { xapi } from "./paths";

const done = { statusCourse: "done at once" } as const;
const failed = { statusCourse: "running, then error" } as const;
const shape = (text: string | undefined) => text?.replace(/\d/g, "0");
const view = async (t: Tester, id = 4002) => timeless(await t.get(xapi.command(id)));
const ended = async (t: Tester) => {
  await view(t);
  return view(t);
};
const cancel = async (t: Tester) => timeless(await t.put(xapi.command(4002), { status: "kill" }));
const logs = async (t: Tester, more: More = {}) => {
  await view(t);
  const reply = await t.get(xapi.logs(4002), more);
  const { "content-type": type, "content-encoding": encoding, err_length: length } = reply.headers;
  return [reply.status, reply.text, type, encoding, length];
};
const errorLogs = async (t: Tester) => {
  await ended(t);
  return timeless(await t.get(xapi.errorLogs(4002)));
};
const results = async (t: Tester, query: Record<string, string> = {}) => {
  await ended(t);
  const { status, text } = await t.get(xapi.results(4002), { query });
  return [status, text.length, text.slice(0, 200)];
};
const withResults = async (t: Tester) => {
  await ended(t);
  return timeless(await t.get(xapi.withResults(4002)));
};

export const extendedCommandProbes: Record<keyof typeof extendedCommands, Probe> = {
  viewTimes: async (t) => shape((await t.get(xapi.command(4002))).text.match(/"start_time":[^,]*/)?.[0]),
  viewCreated: async (t) => shape((await t.get(xapi.command(4002))).text.match(/"created_at":[^,]*/)?.[0]) ?? null,
  viewQlog: (t) => ended(t),
  viewMore: (t) => view(t),
  viewEnvelope: (t) => view(t),
  viewStatus: (t) => view(t),
  viewProgress: (t) => ended(t),
  viewThrottled: (t) => view(t),
  viewOthers: async (t) => (await view(t, 4003)).status,
  cancelAnswer: (t) => cancel(t),
  cancelCourse: async (t) => {
    const seen = [await cancel(t)];
    for (let i = 0; i < 3; i += 1) seen.push(await view(t));
    return seen;
  },
  cancelFinished: async (t) => {
    await ended(t);
    return cancel(t);
  },
  logsText: (t) => logs(t),
  logsType: (t) => logs(t),
  logsEncoding: async (t) => [await logs(t), await logs(t, { headers: { "accept-encoding": "gzip" } })],
  logsNone: async (t) => timeless(await t.get(xapi.logs(4002))),
  logsLengths: async (t) => [
    await logs(t),
    await logs(t, { query: { err_file_processed: "9", tmp_file_processed: "0" } }),
  ],
  errorLogsNone: (t) => errorLogs(t),
  errorLogsText: (t) => errorLogs(t),
  resultsPlace: async (t) => [await results(t), await results(t, { inline: "false" })],
  resultsRows: (t) => results(t),
  resultsContent: (t) => results(t),
  resultsHeaders: async (t) => [await results(t), await results(t, { include_headers: "false" })],
  resultsFlag: (t) => results(t),
  withResultsId: (t) => withResults(t),
  withResultsError: (t) => withResults(t),
};

export const commandCompany = {
  viewTimes: { ...done, runTimes: "blank-separated UTC text" },
  viewQlog: done,
  viewProgress: { statusCourse: "running, then done" },
  cancelCourse: { statusCourse: "running, then error" },
  cancelFinished: done,
  logsText: done,
  logsType: done,
  logsEncoding: done,
  logsLengths: done,
  errorLogsNone: done,
  errorLogsText: failed,
  resultsPlace: done,
  resultsRows: done,
  resultsContent: done,
  resultsHeaders: done,
  resultsFlag: done,
  withResultsId: done,
  withResultsError: failed,
} as const;
