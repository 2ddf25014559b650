import { callOf, type Group, group, queries } from "./calls";
import { operations } from "./operations";

const { history, historyV1, spark } = operations;
const day = 86_400_000;
/** The day of the seed's three-day-old command, shifted by some days. */
const dayOfThird = (later: number) => new Date(Date.now() - 3 * day + later * day).toISOString().slice(0, 10);

const inBody = (name: string, body: unknown): Group =>
  group(`commands.history/${name} in the body`, callOf(history, { body }));

const parameters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "page 1": { page: "1" },
  "page 2": { page: "2" },
  "page 0": { page: "0" },
  "page -1": { page: "-1" },
  "page in words": { page: "one" },
  "a fraction of a page": { page: "1.5" },
  "an empty page": { page: "" },
  "per_page 1": { per_page: "1" },
  "per_page 1, page 2": { per_page: "1", page: "2" },
  "per_page 0": { per_page: "0" },
  "per_page 100": { per_page: "100" },
  "per_page 101": { per_page: "101" },
  "all_users 0": { all_users: "0" },
  "all_users 1": { all_users: "1" },
  "all_users 2": { all_users: "2" },
  "all_users true": { all_users: "true" },
  "query properties": { include_query_properties: "true" },
  "query properties false": { include_query_properties: "false" },
  "query properties 1": { include_query_properties: "1" },
  "query properties TRUE": { include_query_properties: "TRUE" },
  "query properties in words": { include_query_properties: "yes" },
  "from a day": { start_date: dayOfThird(0) },
  "up to a day": { end_date: dayOfThird(0) },
  "one day": { start_date: dayOfThird(0), end_date: dayOfThird(0) },
  "from a time": { start_date: `${dayOfThird(0)}T00:00:00Z` },
  "up to a time": { end_date: `${dayOfThird(1)}T00:00:00Z` },
  "from long ago": { start_date: "2000-01-01" },
  "up to 30 days after a command": { end_date: dayOfThird(30) },
  "up to 31 days after a command": { end_date: dayOfThird(31) },
  "from the end to the start": { start_date: dayOfThird(1), end_date: dayOfThird(0) },
  "no such day": { start_date: "2024-02-30" },
  "a date in words": { start_date: "yesterday" },
  "an American date": { start_date: "01/31/2024" },
  "a time with milliseconds": { start_date: "2024-01-01T00:00:00.000Z" },
  "a time with an offset": { start_date: "2024-01-01T00:00:00+00:00" },
  "an empty date": { start_date: "" },
};

export const historyCalls: readonly Group[] = [
  ...queries(history, parameters),
  ...queries(
    history,
    {
      "as a system-user, all users": { all_users: "1" },
    },
    "systemUser",
  ),
  ...queries(history, { "as the analyst, all users": { all_users: "1" }, "as the analyst": {} }, "analyst"),
  ...queries(historyV1, { "all users": { all_users: "1" }, "query properties": { include_query_properties: "true" } }),
  inBody("page 1", { page: 1 }),
  inBody("page as text", { page: "1" }),
  inBody("page null", { page: null }),
  inBody("per_page 1", { per_page: 1 }),
  inBody("per_page 101", { per_page: 101 }),
  inBody("all_users 1", { all_users: 1 }),
  inBody("all_users true", { all_users: true }),
  inBody("query properties", { include_query_properties: true }),
  inBody("query properties as text", { include_query_properties: "true" }),
  inBody("query properties 1", { include_query_properties: 1 }),
  inBody("query properties null", { include_query_properties: null }),
  inBody("a date that is a number", { start_date: 20240101 }),
  inBody("an unknown parameter", { colour: "red" }),
  group(
    "commands.history/a parameter in both places",
    callOf(history, { query: { per_page: "1" }, body: { per_page: 2 } }),
  ),
  group(
    "commands.history/parameters in one place each",
    callOf(history, { query: { per_page: "1" }, body: { all_users: 1 } }),
  ),
  group(
    "commands.history/eleven commands",
    ...Array.from({ length: 9 }, () => callOf(spark)),
    callOf(history),
    callOf(history, { query: { page: "2" } }),
  ),
];
