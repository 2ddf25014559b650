import { describe, expect, test } from "vitest";
import { secretOutputs } from "../../../provider/core/function-run";
import { functions } from "../../../provider/functions";
import { rowsIn } from "../../../provider/platform/commands/results";
import { valuesIn } from "../../../provider/platform/hive-tables";
import { answers, freshEmulator } from "../../harness/emulators";
import { request } from "../../harness/http";
import { resultOf } from "../../harness/in-process";

const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0, extended: true });
const definitionOf = (name: string) => functions.find((definition) => definition.name === name)!;

const call = (name: string, inputs: Record<string, unknown> = {}, { extended = true } = {}) =>
  resultOf(name, inputs, emulator, { extended, retries: 1 });

const submit = async (inputs: object = { spark: { sql: "x" } }): Promise<string> =>
  (await call("submitCommand", { ...inputs }))["id"] as string;
const setting = (path: string, body: object) => request(emulator, "POST", `/_emulator${path}`, body);

test.each([
  ["getTableDefinition", { schema: "sales", table: "nothing" }, "hive.table", "the table sales.nothing"],
  ["getCommandResults", { id: "7" }, "commands.results", "command 7"],
  ["getCommandLog", { id: "7" }, "commands.logs", "command 7"],
])("%s of what is not there says so, whatever the form of the answer", async (name, inputs, operation, thing) => {
  answers(emulator, operation, 404, { status: 404, error: "Nothing of that name" });
  await expect(call(name, inputs)).rejects.toThrow(new RegExp(`Nothing of that name.*check that ${thing} exists`));
});

describe("getCommandResults", () => {
  test("returns rows, as a secret", async () => {
    const id = await submit();
    const result = await call("getCommandResults", { id });
    const [header, ...rows] = ["c1 c2", "1 one", "2 two"].map((row) => row.split(" "));
    expect(result).toEqual({ inline: true, results: "1\tone\r\n2\ttwo", rows });
    expect(secretOutputs(definitionOf("getCommandResults"), result)).toEqual(["results", "rows"]);
    const withHeaders = await call("getCommandResults", { id, raw: true, includeHeaders: true });
    expect(withHeaders["rows"]).toEqual([header, ...rows]);
  });

  test("returns locations of what is not inline, which are no secret", async () => {
    const id = await submit();
    const result = await call("getCommandResults", { id, inline: false });
    expect(result).toEqual({ inline: false, locations: [expect.stringMatching(/^s3:\/\/.*000$/)] });
    expect(secretOutputs(definitionOf("getCommandResults"), result)).toEqual([]);
    emulator.setReadings({ commandResults: "location" });
    expect(await call("getCommandResults", { id })).toMatchObject({ inline: false });
  });

  test.each([
    { body: { inline: "true", results: null }, result: { inline: true, results: "", rows: [] } },
    { body: { results: "a\n" }, result: { inline: true, results: "a\n", rows: [["a"]] } },
    { body: { inline: false, result_location: "s3://a/b" }, result: { inline: false, locations: ["s3://a/b"] } },
    { body: { inline: false, result_location: [] }, result: { inline: false, locations: [] } },
  ])("understands $body", async ({ body, result }) => {
    answers(emulator, "commands.results", 200, body);
    expect(await call("getCommandResults", { id: "7" })).toEqual(result);
  });

  test("names the status of a command without results", async () => {
    await setting("/settings", { waitSeconds: 0, runSeconds: 3600 });
    const running = await submit();
    await expect(call("getCommandResults", { id: running })).rejects.toThrow(
      `getCommandResults: command ${running} has no results yet: its status is running; wait until it is done`,
    );
    await setting("/commands/outcome", { match: {}, outcome: "error", runSeconds: 0 });
    const failed = await submit();
    await expect(call("getCommandResults", { id: failed })).rejects.toThrow(
      `command ${failed} has no results: it ended with status error; see its log (getCommandLog)`,
    );
  });
});

describe("getCommandLog", () => {
  test("returns the log as it is, as a secret", async () => {
    const id = await submit();
    const result = await call("getCommandLog", { id });
    expect(result["log"]).toMatch(new RegExp(`INFO command ${id} started.*\\n.*command ${id} is done\\n$`));
    expect(secretOutputs(definitionOf("getCommandLog"), result)).toEqual(["log"]);
    expect((await call("getCommandLog", { id, lastLines: 1 }))["log"]).toMatch(/^\S+ INFO command \d+ is done\n$/);
    expect(await call("getCommandLog", { id, errorOnly: true })).toEqual({ log: "" });
  });

  test.each(['{"error": "in the log"}', "<html>printed by a job</html>", '"text"', "", "a\r\n\tb\n"])(
    "does not interpret %j",
    async (log) => {
      answers(emulator, "commands.logs", 200, log);
      expect(await call("getCommandLog", { id: "7" })).toEqual({ log });
    },
  );

  test("returns the error log of a failed command", async () => {
    await setting("/commands/outcome", { match: {}, outcome: "error", runSeconds: 0 });
    const id = await submit();
    const log = "an outcome rule of the emulator made this command fail\n";
    expect(await call("getCommandLog", { id, errorOnly: true })).toEqual({ log });
  });

  test("is an error for a command that may not be seen", async () => {
    answers(emulator, "commands.logs", 403);
    await expect(call("getCommandLog", { id: "7" })).rejects.toThrow("viewing commands' logs");
    await expect(call("getCommandLog", { id: "7", lastLines: 0 })).rejects.toThrow("lastLines must be at least 1");
  });
});

test("getDataStores lists the data stores, and never a password", async () => {
  answers(emulator, "dbTaps.list", 200, {
    paging_info: { previous_page: null, next_page: null, per_page: 10 },
    db_taps: [
      { id: 7, account_id: "1001", user_id: 11, db_type: "mysql", db_name: "sales", db_passwd: "canary", port: "3306" },
      { id: "8", active: true, db_host: "db.example.com", catalog_name: null, gateway_private_key: "canary" },
    ],
  });
  const result = await call("getDataStores");
  expect(result).toEqual({
    dataStores: [
      { id: "7", accountId: 1001, userId: 11, dbType: "mysql", dbName: "sales", port: 3306 },
      { id: "8", active: true, dbHost: "db.example.com" },
    ],
  });
  expect(JSON.stringify(result)).not.toContain("canary");
});

describe("tables", () => {
  test("getTableDefinition", async () => {
    const { columns } = await call("getTableDefinition", { table: "page_views" });
    expect(columns).toContainEqual({ name: "dt", type: "string" });
    expect(await call("getTableDefinition", { schema: "default", table: "page_views" })).toEqual({ columns });
    await expect(call("getTableDefinition", { table: ".." })).rejects.toThrow("would change the URL path");
  });

  const columns = [{ name: "a", type: "int", comment: "first" }];
  test.each([{ columns }, { status: "ok", schema: columns }])("getTableDefinition understands %j", async (body) => {
    answers(emulator, "hive.table", 200, body);
    expect(await call("getTableDefinition", { table: "t" })).toEqual({ columns });
  });

  test("getTableDefinition does not leave out a column that it cannot read", async () => {
    answers(emulator, "hive.table", 200, [{ name: "a", type: "int" }, { name: "b" }]);
    await expect(call("getTableDefinition", { table: "t" })).rejects.toThrow(/documented shape at 1\.type/);
  });

  test.each(["as-is", "escaped"] as const)("getTablePartitions, names %s", async (partitionNames) => {
    emulator.setReadings({ partitionNames });
    const { partitions } = await call("getTablePartitions", { table: "daily_ticks" });
    expect(partitions).toContainEqual({
      name: expect.stringMatching(/^dt=2024-01-01/),
      location: expect.stringContaining("/daily_ticks/dt=2024-01-01"),
      values: expect.objectContaining({ dt: "2024-01-01" }),
    });
  });

  test("getTablePartitions understands other spellings, and no partitions", async () => {
    const name = "dt=2024/hour=05";
    answers(emulator, "hive.partitions", 200, { partitions: [{ part_name: name }] });
    const partitions = [{ name, values: { dt: "2024", hour: "05" } }];
    expect(await call("getTablePartitions", { table: "t" })).toEqual({ partitions });
    answers(emulator, "hive.partitions", 200, []);
    expect(await call("getTablePartitions", { table: "t" })).toEqual({ partitions: [] });
  });
});

test("submitCommand needs the extended API only for what it does with it", async () => {
  const wait = { killOnTimeout: true, timeoutSeconds: 60 };
  const inputs = { spark: { sql: "x" }, wait };
  const says = "submitCommand: wait.killOnTimeout is true, which needs the extended API";
  await expect(call("submitCommand", inputs, { extended: false })).rejects.toThrow(says);
  emulator.clearRequests();
  expect(await call("submitCommand", inputs)).toMatchObject({ status: "done" });
  expect(emulator.requests().counts).toEqual({ "commands.submit": 1 });
});

test.each([
  ["", false, []],
  ["a", false, ["a"]],
  ["a\tb\r\nc\td\r\n", false, ["a|b", "c|d"]],
  ["a\tb\nc\t\n", false, ["a|b", "c|"]],
  ["a\nb\tc\r\nd\te", false, ["a\nb|c", "d|e"]],
  ["a\u0001b\tc\r\nd\u0001e", true, ["a|b\tc", "d|e"]],
  ["a\u0001b\nc\u0001d", false, ["a|b", "c|d"]],
  ["a\u0001b\tc", false, ["a\u0001b|c"]],
  ["a\n\nb", true, ["a", "", "b"]],
])("the rows of %j (raw: %j)", (text, isRaw, rows) => {
  expect(rowsIn(text, isRaw).map((row) => row.join("|"))).toEqual(rows);
});

test.each([
  ["at=10%3A30%2F5/b=", { at: "10:30/5", b: "" }],
  ["a=b=c", { a: "b=c" }],
  ["rate=5%", { rate: "5%" }],
  ["", {}],
])("the values of partition %j", (name, values) => {
  expect(valuesIn(name)).toEqual(values);
});
