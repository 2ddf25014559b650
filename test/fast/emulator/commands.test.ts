import { describe, expect, test } from "vitest";
import { copy, perValue, refresh, refusal, spark, testEmulator, type Wrong } from "./calls";

const start = "2024-06-15T12:00:00Z";
const setClock = (at: string) => control("POST", "/clock", { mode: "manual", at });
const { emulator, get, post, control, account } = testEmulator({}, () => setClock(start));

const submit = (body: object, alias?: string) => post("/commands/", body, alias);
const history = (query = "", body?: object, alias?: string) => get(`/commands/${query}`, body, alias);
const latest = async () => (await history()).body.commands[0];
const advance = (seconds: number) => emulator.advance(seconds);
const outcome = (body: object) => control("POST", "/commands/outcome", body);

describe("the rules of submission", () => {
  const common = {
    name: ["a".repeat(256), ...["&", "<", ">", '"', "'", "<b>x</b>"].map((text) => `a${text}`), 5],
    tags: [["a".repeat(256)], "a", [1]],
    macros: [{ a: "1" }, [{}], [{ a: 1 }]],
    timeout: ["60", 0, 1.5],
    label: [7],
  };
  test.each(perValue(common))("%j is rejected for every kind of command", async (change, message) => {
    for (const good of [spark, copy, refresh])
      expect(await submit({ ...good, ...change })).toMatchObject({ status: 422, body: refusal(422, message) });
  });

  const bare = { command_type: "SparkCommand" };
  const programs = { program: "x", sql: "x", script_location: "x", arguments: "x", user_program_arguments: "x" };
  const besideCmdline = { ...programs, retry: 1, retry_delay: 1, app_id: "1", pool: "p" };
  const of = (good: object, wrong: Wrong) =>
    perValue(wrong).map(([change, message]): [object, RegExp] => [{ ...good, ...change }, message]);
  const specific: [object, RegExp][] = [
    ...of({}, { command_type: [undefined, "PigCommand"] }),
    [{ command_type: "HiveCommand" }, /template/],
    ...of({ ...bare, program: "x" }, { language: [undefined, "Scala", "r", "java"] }),
    ...[bare, { ...spark, sql: "select 1" }, { ...spark, script_location: "s3://a/b" }].map(
      (body): [object, RegExp] => {
        return [body, /exactly one/];
      },
    ),
    [{ ...bare, sql: "select 1", language: "python" }, /sql/],
    [{ ...bare, cmdline: "spark-submit x", language: "scala" }, /command_line/],
    ...Object.entries(besideCmdline).map(([name, value]): [object, RegExp] => [
      { ...bare, cmdline: "spark-submit x", [name]: value },
      /cmdline/,
    ]),
    ...of(spark, { retry: [0, 4], program: [5] }),
    [{ ...spark, app_id: "9" }, /label/],
    ...of(copy, { sub_command: ["jar"], pool: ["p"] }),
    ...of(refresh, { template: ["s3export"], command_type: ["SparkCommand"], db_name: [undefined] }),
    ...of(refresh, { hive_table: ["a; drop"], loader_stable: [1], loader_stable_mult: ["soon"] }),
  ];
  test.each(specific)("%j is rejected", async (body, message) => {
    expect(await submit(body)).toMatchObject({ status: 422, body: refusal(422, message) });
    expect(account().commands).toEqual([]);
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

  const wrong = {
    ...{ per_page: ["101", "0", "many"], page: ["0"], all_users: ["2"], include_query_properties: ["1"] },
    ...{ start_date: ["yesterday", "2024-06-15T12:00:00", "2024-06-16&end_date=2024-06-15"], end_date: ["2024-02-30"] },
  };
  test.each(perValue(wrong))("%j is rejected", async (query, message) => {
    const [text] = Object.entries(query).map((parameter) => parameter.join("="));
    expect(await history(`?${text}`)).toMatchObject({ status: 422, body: refusal(422, message) });
  });
});
