import { describe, expect, test } from "vitest";
import { refresh, refusal, spark, testEmulator } from "./calls";

const now = { mode: "manual", at: "2024-06-15T12:00:00Z" };
const platform = testEmulator({ extended: true }, () => platform.control("POST", "/clock", now));
const { emulator, put, post } = platform;

const submit = async (body: object = spark, alias?: string): Promise<number> =>
  (await post("/commands", body, alias)).body.id;
const get = (id: number | string, part = "") => platform.get(`/commands/${id}${part}`);
const status = async (id: number) => (await get(id)).body.status;
const kill = (id: number | string) => put(`/commands/${id}`, { status: "kill" });
const outcome = (rule: object) => platform.control("POST", "/commands/outcome", rule);
const ended = async (body?: object) => {
  const id = await submit(body);
  emulator.advance(60);
  return id;
};

describe("status", () => {
  test("shows the command object of the history, and more", async () => {
    const id = await submit({ ...spark, name: "n" }, "user");
    const { commands } = (await get("?all_users=1")).body;
    expect((await get(id)).body).toEqual({
      ...commands[0],
      created_at: "2024-06-15 12:00:00 UTC",
      updated_at: "2024-06-15 12:00:00 UTC",
      nominal_time: null,
      sequence_id: null,
      email: "user@analytics.example.com",
    });
    emulator.advance(60);
    expect((await get(id)).body).toMatchObject({
      status: "done",
      start_time: Date.parse("2024-06-15T12:00:01Z") / 1000,
      end_time: Date.parse("2024-06-15T12:00:03Z") / 1000,
      updated_at: "2024-06-15 12:00:03 UTC",
    });
  });

  test.each(["999", "abc", "-1", "10001x"])("there is no command %s", async (id) => {
    await submit();
    expect([(await get(id)).status, (await kill(id)).status]).toEqual([404, 404]);
  });
});

describe("cancel", () => {
  test("a running command is cancelling, then cancelled", async () => {
    const id = await submit();
    emulator.advance(2);
    expect(await kill(id)).toMatchObject({ status: 200, body: { id, status: "cancelling", end_time: null } });
    emulator.advance(1);
    const { body } = await get(id);
    expect(body).toMatchObject({
      status: "cancelled",
      progress: 0,
      end_time: Date.parse("2024-06-15T12:00:03Z") / 1000,
    });
    const { commands } = (await get("")).body;
    expect(commands[0]).toMatchObject({ status: "cancelled", qlog: "cancelled by admin@analytics.example.com" });
  });

  test.each([{}, { status: "stop" }])("%j is rejected", async (body) => {
    const id = await submit();
    expect(await put(`/commands/${id}`, body)).toMatchObject({ status: 422, body: refusal(422, /status/) });
    expect(await status(id)).toBe("waiting");
  });
});

describe("logs", () => {
  test("are text that grows with the command", async () => {
    const id = await submit();
    emulator.advance(1);
    const { body, headers } = await get(id, "/logs");
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    expect(body).toBe(`2024-06-15T12:00:01Z INFO command ${id} started on cluster default\n`);
    emulator.advance(60);
    const whole = (await get(id, "/logs?sequence_number=1")).body;
    expect(whole).toMatch(/is done\n$/);
    const part = await get(id, `/logs?tmp_file_processed=${body.length}&err_file_processed=0`);
    expect(part.body).toBe(whole.slice(body.length));
    expect(part.headers).toMatchObject({ tmp_length: String(part.body.length), err_length: "0" });
  });

  test("say who cancelled a command; its error log is empty", async () => {
    const id = await submit();
    await kill(id);
    emulator.advance(5);
    expect((await get(id, "/logs")).body).toContain("cancelled by admin@analytics.example.com");
    expect((await get(id, "/error_logs")).body).toEqual({ error_log: "" });
  });

  test.each(["sequence_number=x", "tmp_file_processed=-1"])("?%s is rejected", async (query) => {
    expect((await get(await submit(), `/logs?${query}`)).status).toBe(422);
  });
});

describe("results", () => {
  test("are inline, with tabs and CR LF", async () => {
    await outcome({ match: { name: "own" }, outcome: "done", results: "a\tb\nc\td" });
    const id = await ended({ ...spark, name: "own" });
    expect((await get(id, "/results")).body).toEqual({ inline: true, results: "a\tb\r\nc\td" });
    expect((await get(id, "/results?raw=true")).body.results).toBe("a\u0001b\r\nc\u0001d");
    expect((await get(id, "/results?include_headers=true")).body.results).toBe("c1\tc2\r\na\tb\r\nc\td");
    expect((await get(id, "/results?inline=false")).body).toEqual({
      inline: false,
      result_location: [`s3://analytics-logs/default/tmp/2024-06-15/1001/${id}.dir/000`],
    });
  });

  test.each([
    [999, "\t"],
    [1000, "\u0001"],
  ])("raw results of a Hive command with %i rows have %j between columns", async (rows, separator) => {
    await outcome({ outcome: "done", results: "a\tb\r\n".repeat(rows) });
    const { results } = (await get(await ended(refresh), "/results?raw=true")).body;
    expect(results.split("\r\n")).toEqual(Array(rows).fill(`a${separator}b`));
  });

  test("422 unless the command is done", async () => {
    await outcome({ match: { name: "bad" }, outcome: "error" });
    const cancelled = await submit();
    await kill(cancelled);
    const failed = await ended({ ...spark, name: "bad" });
    const running = await submit();
    for (const [id, state] of [
      [cancelled, "cancelled"],
      [failed, "error"],
      [running, "waiting"],
    ] as const)
      expect(await get(id, "/results")).toMatchObject({ status: 422, body: refusal(422, new RegExp(state)) });
  });

  test("with the status: nothing but progress while it runs, then the results and the path", async () => {
    const id = await submit();
    emulator.advance(2);
    expect((await get(id, "/status_with_results")).body).toEqual({ id: String(id), status: "running", progress: 50 });
    emulator.advance(60);
    const done = { id: String(id), status: "done", progress: 100, error: null, path: `/tmp/2024-06-15/1001/${id}` };
    expect((await get(id, "/status_with_results")).body).toEqual({
      ...done,
      inline: true,
      results: "1\tone\r\n2\ttwo",
    });
    expect((await get(id, "/status_with_results?raw=true")).body.results).toBe("1\u0001one\r\n2\u0001two");
    emulator.setReadings({ commandResults: "location" });
    expect((await get(id, "/status_with_results")).body).toMatchObject({
      inline: false,
      result_location: [expect.any(String)],
    });
  });
});

test("booleans in a query come in any case", async () => {
  const results = `/${await ended()}/results?inline`;
  for (const path of [`${results}=True&include_headers=False`, `${results}=FALSE`, "?include_query_properties=True"])
    expect((await platform.get(`/commands${path}`)).status, path).toBe(200);
  expect((await platform.get("/hive/default?describe=True")).status).toBe(200);
  expect(await platform.get("/hive/default?describe=False")).toMatchObject({
    status: 422,
    body: refusal(422, /describe/),
  });
  for (const value of ["1", "yes"])
    expect(await platform.get(`/commands${results}=${value}`)).toMatchObject({
      status: 422,
      body: refusal(422, /inline/),
    });
});

test("jobs are text, of commands that have ended", async () => {
  const id = await submit();
  expect((await get(id, "/jobs")).status).toBe(422);
  emulator.advance(60);
  const { body, headers } = await get(id, "/jobs");
  expect([headers["content-type"], body]).toEqual([
    expect.stringMatching(/^text\/plain/),
    expect.stringContaining("job_"),
  ]);
});
