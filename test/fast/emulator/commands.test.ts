import { describe, expect, test } from "vitest";
import { copy, refresh, refusal, spark } from "./calls";
import { testEmulator } from "./test-emulator";

const start = "2024-06-15T12:00:00Z";
const setClock = (at: string) => control("POST", "/clock", { mode: "manual", at });
const { emulator, get, post, control, account } = testEmulator({}, () => setClock(start));

const submit = (body: object, alias?: string) => post("/commands/", body, alias);
const history = (query = "", body?: object, alias?: string) => get(`/commands/${query}`, body, alias);
const latest = async () => (await history()).body.commands[0];
const advance = (seconds: number) => emulator().advance(seconds);
const outcome = (body: object) => control("POST", "/commands/outcome", body);

describe("the rules of submission", () => {
  const common: [object, RegExp][] = [
    [{ name: "a".repeat(256) }, /name/],
    ...["&", "<", ">", '"', "'", "<b>x</b>"].map((text): [object, RegExp] => [{ name: `a${text}` }, /name/]),
    [{ name: 5 }, /name/],
    [{ tags: ["a".repeat(256)] }, /tags/],
    [{ tags: "a" }, /tags/],
    [{ tags: [1] }, /tags/],
    [{ macros: { a: "1" } }, /macros/],
    [{ macros: [{}] }, /macros/],
    [{ macros: [{ a: 1 }] }, /macros/],
    [{ timeout: "60" }, /timeout/],
    [{ timeout: 0 }, /timeout/],
    [{ timeout: 1.5 }, /timeout/],
    [{ label: 7 }, /label/],
    [{ unheard_of: 1 }, /unheard_of/],
  ];
  test.each(common)("%j is rejected for every kind of command", async (change, message) => {
    for (const good of [spark, copy, refresh])
      expect(await submit({ ...good, ...change })).toMatchObject({ status: 422, body: refusal(422, message) });
  });

  const bare = { command_type: "SparkCommand" };
  const programs = { program: "x", sql: "x", script_location: "x", arguments: "x", user_program_arguments: "x" };
  const besideCmdline = { ...programs, retry: 1, retry_delay: 1, app_id: "1", pool: "p" };
  const specific: [object, RegExp][] = [
    [{}, /command_type/],
    [{ command_type: "PigCommand" }, /command_type/],
    [{ command_type: "HiveCommand" }, /template/],
    [bare, /exactly one/],
    [{ ...bare, program: "x" }, /language/],
    [{ ...bare, program: "x", language: "Scala" }, /language/],
    [{ ...bare, program: "x", language: "r" }, /language/],
    [{ ...bare, program: "x", language: "java" }, /language/],
    [{ ...spark, sql: "select 1" }, /exactly one/],
    [{ ...spark, script_location: "s3://a/b" }, /exactly one/],
    [{ ...bare, sql: "select 1", language: "python" }, /sql/],
    [{ ...bare, cmdline: "spark-submit x", language: "scala" }, /command_line/],
    ...Object.entries(besideCmdline).map(([name, value]): [object, RegExp] => [
      { ...bare, cmdline: "spark-submit x", [name]: value },
      /cmdline/,
    ]),
    [{ ...spark, retry: 0 }, /retry/],
    [{ ...spark, retry: 4 }, /retry/],
    [{ ...spark, app_id: "9" }, /label/],
    [{ ...spark, program: 5 }, /program/],
    [{ ...copy, sub_command: "jar" }, /sub_command/],
    [{ ...copy, pool: "p" }, /pool/],
    [{ ...refresh, template: "s3export" }, /template/],
    [{ ...refresh, command_type: "SparkCommand" }, /command_type/],
    [{ ...refresh, db_name: undefined }, /db_name/],
    [{ ...refresh, hive_table: "a; drop" }, /hive_table/],
    [{ ...refresh, loader_stable: 1 }, /loader_stable/],
    [{ ...refresh, loader_stable_mult: "soon" }, /loader_stable_mult/],
  ];
  test.each(specific)("%j is rejected", async (body, message) => {
    expect(await submit(body)).toMatchObject({ status: 422, body: refusal(422, message) });
    expect(account().commands).toEqual([]);
  });

  test.each([
    { ...bare, script_location: "s3://a/b.py" },
    { ...bare, sql: "select 1", language: "sql" },
    { ...bare, cmdline: "spark-submit x", language: "command_line", label: "etl", name: "n", tags: ["t"], timeout: 5 },
    { ...spark, language: "R", retry: 3, retry_delay: 5, app_id: "9", label: "etl", pool: "p" },
    { ...spark, name: "a".repeat(255), tags: ["a".repeat(255), "b"], macros: [{ a: "1" }, { b: "2", c: "3" }] },
    { ...refresh, command_type: "HiveCommand", loader_stable: "1", loader_stable_mult: "10", label: "etl" },
  ])("%j is accepted", async (body) => {
    expect(await submit(body)).toMatchObject({ status: 200, body: { status: "waiting", progress: 0 } });
  });
});

describe("the life of a command", () => {
  test("waits, runs and is done", async () => {
    await submit(spark);
    expect(await latest()).toMatchObject({ status: "waiting", progress: 0, start_time: null, end_time: null });
    advance(1);
    expect(await latest()).toMatchObject({ status: "running", start_time: "2024-06-15T12:00:01Z", end_time: null });
    advance(1);
    expect(await latest()).toMatchObject({ status: "running", progress: 50 });
    advance(1);
    expect(await latest()).toMatchObject({ status: "done", progress: 100, end_time: "2024-06-15T12:00:03Z" });
  });

  test.each([
    [80, 120],
    [59, 60],
    [60, 120],
    [1, 60],
  ])("with a timeout of %i seconds it is killed at the check after %i seconds", async (timeout, killed) => {
    await outcome({ outcome: "never" });
    await submit({ ...spark, timeout });
    advance(1 + killed - 1);
    expect(await latest()).toMatchObject({ status: "running" });
    advance(1);
    expect(await latest()).toMatchObject({ status: "cancelled", qlog: expect.stringContaining("timeout") });
  });

  test("a command that ends before the check is not killed", async () => {
    await outcome({ match: { name: "slow" }, outcome: "done", runSeconds: 100 });
    await submit({ ...spark, name: "slow", timeout: 80 });
    advance(200);
    expect(await latest()).toMatchObject({ status: "done" });
  });

  test.each([
    [{ name: "chosen" }, { name: "chosen" }],
    [{ tag: "red" }, { tags: ["blue", "red"] }],
    [{ program: "throw" }, { program: "throw new Error()" }],
  ])("an outcome rule matches by %j", async (match, change) => {
    await outcome({ match, outcome: "error" });
    await submit(spark);
    await submit({ ...spark, ...change });
    advance(10);
    const statuses = (await history()).body.commands.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(["error", "done"]);
  });

  test("a command that never ends can be ended later", async () => {
    await outcome({ outcome: "never" });
    await submit(spark);
    advance(100);
    expect(await latest()).toMatchObject({ status: "running" });
    expect((await outcome({ outcome: "done", runSeconds: 5 })).body.changed).toBe(1);
    advance(5);
    expect(await latest()).toMatchObject({ status: "done", start_time: "2024-06-15T12:00:01Z" });
  });

  test("refreshing a missing table fails", async () => {
    await submit({ ...refresh, hive_table: "absent" });
    advance(10);
    expect(await latest()).toMatchObject({ status: "error", qlog: expect.stringContaining("absent") });
  });

  test("on the real clock it ends by itself", async () => {
    await control("POST", "/clock", { mode: "real" });
    await control("POST", "/settings", { waitSeconds: 0.02, runSeconds: 0.05 });
    await submit(spark);
    await expect.poll(async () => (await latest()).status, { timeout: 2000, interval: 20 }).toBe("done");
  });
});

describe("the history", () => {
  const ids = (body: { commands: { name: string }[] }) => body.commands.map(({ name }) => name).join("");
  const submitMany = async (names: string) => {
    for (const name of names) await submit({ ...spark, name });
  };

  test("pages, newest first, on both versions, by query or body", async () => {
    await submitMany("abcde");
    for (const version of ["v1", "v1.2"])
      for (const way of ["query", "body"]) {
        const page = async (number: number) => {
          const [query, body] = way === "query" ? [`?page=${number}&per_page=2`] : ["", { page: number, per_page: 2 }];
          return (await get(`/api/${version}/commands${query}`, body)).body;
        };
        const pages = await Promise.all([1, 2, 3, 4].map(page));
        expect(pages.map(ids)).toEqual(["ed", "cb", "a", ""]);
        expect(pages.slice(0, 3).map(({ paging_info }) => paging_info)).toEqual([
          { previous_page: null, next_page: 2, per_page: 2 },
          { previous_page: 1, next_page: 3, per_page: 2 },
          { previous_page: 2, next_page: null, per_page: 2 },
        ]);
      }
  });

  test("shows ten by default", async () => {
    await submitMany("abcdefghijkl");
    const { body } = await history();
    expect(body.commands).toHaveLength(10);
    expect(body.paging_info).toEqual({ previous_page: null, next_page: 2, per_page: 10 });
  });

  test("shows the user's own commands unless all users are requested", async () => {
    await submitMany("a");
    await submit({ ...spark, name: "b" }, "user");
    expect(ids((await history()).body)).toBe("a");
    expect(ids((await history("?all_users=1")).body)).toBe("ba");
    expect(ids((await history("", { all_users: 1 }, "user")).body)).toBe("ba");
  });

  test("adds tags and comments when asked", async () => {
    await submit({ ...spark, tags: ["x", "y"] });
    expect(await latest()).not.toHaveProperty("tags");
    const { body } = await history("?include_query_properties=true");
    expect(body.commands[0]).toMatchObject({ tags: ["x", "y"], comments: [] });
  });

  test.each([
    ["", "dcb"],
    ["?start_date=2024-05-01", "dcba"],
    ["?start_date=2024-05-01&end_date=2024-06-14", "cba"],
    ["?end_date=2024-06-14", "cba"],
    ["?start_date=2024-06-14&end_date=2024-06-14", "c"],
    ["?start_date=2024-06-14T12:00:00Z&end_date=2024-06-15T12:00:00Z", "dc"],
    ["?start_date=2024-06-14T12:00:01Z&end_date=2024-06-15T11:59:59Z", ""],
    ["?start_date=2030-01-01&end_date=2030-01-02", ""],
  ])("window %j shows %j", async (query, expected) => {
    for (const [name, at] of Object.entries({ a: "05-15", b: "05-20", c: "06-14", d: "06-15" })) {
      await setClock(`2024-${at}T12:00:00Z`);
      await submit({ ...spark, name });
    }
    expect(ids((await history(query)).body)).toBe(expected);
  });

  test.each([
    ["?per_page=101", /per_page/],
    ["?per_page=0", /per_page/],
    ["?per_page=many", /per_page/],
    ["?page=0", /page/],
    ["?all_users=2", /all_users/],
    ["?include_query_properties=1", /include_query_properties/],
    ["?start_date=yesterday", /start_date/],
    ["?end_date=2024-02-30", /end_date/],
    ["?start_date=2024-06-15T12:00:00", /start_date/],
    ["?start_date=2024-06-16&end_date=2024-06-15", /start_date/],
    ["?order=asc", /order/],
  ])("%s is rejected", async (query, message) => {
    expect(await history(query)).toMatchObject({ status: 422, body: refusal(422, message) });
  });

  test("per_page is at most 100; a string in a body is not a number", async () => {
    expect((await history("?per_page=100")).status).toBe(200);
    expect((await history("", { per_page: 101 })).status).toBe(422);
    expect((await history("", { per_page: "5" })).status).toBe(422);
  });
});
