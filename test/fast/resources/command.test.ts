import { describe, expect, test } from "vitest";
import type { Faults } from "../../../emulator";
import { diffInputs } from "../../../provider/core/diff";
import { command } from "../../../provider/resources/command";
import { accountOf, freshEmulator } from "../../harness/emulators";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import type { Args } from "../../harness/lifecycle";

const spark = { spark: { sql: "select 1" } };
const emulator = freshEmulator({ waitSeconds: 0, runSeconds: 0 });

const commands = () => accountOf(emulator).commands;
const fault = (rule: Omit<Faults["rules"][number], "operation" | "body">): void =>
  emulator.setFaults({ rules: [{ operation: "commands.submit", body: undefined, ...rule }] });

describe("a submission whose answer is lost", () => {
  test.each([
    ["after the work", { kind: "reset-after", times: 1 }],
    ["as a proxy's page, after the work", { kind: "html", times: 1, work: "do" }],
    ["truncated, after the work", { kind: "truncated", times: 1, work: "do" }],
    ["empty, after the work", { kind: "empty", times: 1, work: "do" }],
    ["with a 500, after the work", { kind: "500", times: 1, work: "do" }],
    ["with a 503, after the work", { kind: "503", times: 1, work: "do" }],
    ["with a 429 and Retry-After", { kind: "429", times: 1, retryAfter: 1 }],
    ["and whose tag is a text in the history", { kind: "reset-after", times: 1 }, { historyTags: "text" }],
    ["and whose tag is elsewhere in the history", { kind: "reset-after", times: 1 }, { historyTags: "command.tags" }],
  ] as const)("%s: there is one command, and its id is known", async (_, rule, readings?: object) => {
    emulator.setReadings(readings ?? {});
    fault(rule);
    const { id } = await createdBy(inProcess(command, emulator), spark);
    expect(commands().map((one) => String(one.id))).toEqual([id]);
  });

  test.each([
    ["a broken connection", { kind: "reset-before" }],
    ["a 500", { kind: "500", work: "skip" }],
    ["a 503", { kind: "503" }],
  ] as const)(
    "through %s, and not found: is never sent again, and the error names the tag to search for",
    async (_, rule) => {
      fault(rule);
      const { life } = inProcess(command, emulator);
      await expect(life.create(spark)).rejects.toThrow(
        /its outcome is unknown.*looks for it again.*with the tag pulumi-dataplatform:[0-9a-f-]{36}/,
      );
      expect(commands()).toEqual([]);
      expect(emulator.requests().counts["commands.submit"]).toBe(1);
    },
  );

  test("has a tag fixed at check: that one is sent, and named in the error", async () => {
    fault({ kind: "reset-before" });
    const { life } = inProcess(command, emulator);
    const { inputs } = life.check(spark);
    const tag = inputs["submissionTag"] as string;
    expect(tag).toMatch(/^pulumi-dataplatform:/);
    expect(life.check(spark, { old: inputs }).inputs, "stays for a resource that exists").toEqual(inputs);
    expect(life.check(spark, { seed: "planned" }).inputs["submissionTag"]).toBe("pulumi-dataplatform:planned");
    await expect(life.create(inputs)).rejects.toThrow(
      `If you find nothing with the tag ${tag} in the command history, "pulumi up --replace"`,
    );
    emulator.clearFaults();
    await life.create(inputs);
    expect(commands()[0]!.tags).toEqual([tag]);
  });

  test("is kept under its tag, and found by the next up or refresh, whichever comes first", async () => {
    const lost = {
      operation: "commands.submit",
      kind: "reset-after",
      times: 1,
      body: { commands: [{ id: 1 }] },
    } as const;
    emulator.setFaults({
      rules: [lost, { ...lost, operation: "commands.history", kind: "respond", status: 200, times: 8 }],
    });
    const { life } = inProcess(command, emulator);
    const { inputs } = life.check(spark);
    const { existing } = await failureOf(life.create(inputs));
    expect(existing.id).toBe(inputs["submissionTag"]);
    expect(life.diff(existing.state, inputs).redo).toBe(true);
    // Not yet: nothing is sent.
    await expect(life.update(existing.id, existing.state, inputs)).rejects.toThrow(/still unknown.*--replace.*import/);
    emulator.clearFaults();
    const { life: later, said } = inProcess(command, emulator);
    const [only] = commands();
    const found = await later.update(existing.id, existing.state, inputs);
    expect(found.state).toMatchObject({ status: "done", ...inputs });
    expect(said.warnings).toEqual([
      `Command: this is command ${only!.id}; run "pulumi refresh", so that its id is that of the command`,
    ]);
    expect(later.diff(found.state, inputs)).toMatchObject({ redo: false, changed: [] });
    for (const { state } of [existing, found])
      expect(await later.read(existing.id, state)).toMatchObject({ id: String(only!.id), state: { status: "done" } });
    expect(commands()).toHaveLength(1);
  });

  test("is no success for those that wait for it", async () => {
    fault({ kind: "reset-before" });
    const { life } = inProcess(command, emulator);
    const { inputs } = life.check({ ...spark, wait: true });
    const { existing } = await failureOf(life.create(inputs));
    expect(life.diff(existing.state, inputs)).toMatchObject({ changed: ["wait"], replaces: [], redo: true });
  });

  test("is submitted by the next up, where the history shows tags and does not have it", async () => {
    const { id: other } = await inProcess(command, emulator).life.create(spark);
    fault({ kind: "reset-before", times: 1 });
    const { life } = inProcess(command, emulator);
    const { inputs } = life.check(spark);
    const { existing } = await failureOf(life.create(inputs));
    await life.update(existing.id, existing.state, inputs);
    expect(commands().map(({ id }) => String(id) === other)).toEqual([true, false]);
    expect(commands().map(({ tags }) => tags[0] === existing.id)).toEqual([false, true]);
  });

  test("is said to be unknown by a refresh and a destroy that do not find it", async () => {
    fault({ kind: "reset-before" });
    const { life } = inProcess(command, emulator);
    const { existing } = await failureOf(life.create(life.check(spark).inputs));
    const { life: later, said } = inProcess(command, emulator);
    expect(await later.read(existing.id, existing.state)).toMatchObject(existing);
    await later.delete(existing.id, existing.state);
    const unknown = `Command: nothing tells whether a command was submitted with the tag ${existing.id}: if so, it stays on the platform`;
    expect(said.warnings).toEqual([unknown, unknown]);
  });

  test("without our tag, if the user opts out: the outcome is unknown, and it is not sent again", async () => {
    fault({ kind: "reset-after" });
    const { life } = inProcess(command, emulator);
    await expect(life.create({ ...spark, tagSubmission: false })).rejects.toThrow(
      /unknown\. Before you run this again, search the command history for it; it has no tag/,
    );
    expect(commands().map(({ tags }) => tags)).toEqual([[]]);
  });
});

test("one that failed with wait fails again after a refresh, and is not submitted again", async () => {
  const { life } = inProcess(command, emulator);
  const failing = { tableRefresh: { dbName: "default", hiveTable: "no_such_table" }, wait: true };
  const { existing } = await failureOf(life.create(failing));
  const { id, state } = (await life.read(existing.id, existing.state))!;
  expect(life.diff(state, failing)).toMatchObject({ changed: ["wait"], replaces: [] });
  await expect(life.update(id, state, failing)).rejects.toThrow(/ended with status error.*change a value in triggers/);
  expect(life.diff(state, { ...failing, wait: false }).changed).toEqual(["wait"]);
  expect(commands()).toHaveLength(1);
});

test("the submission tag follows the user's tags", async () => {
  await inProcess(command, emulator).life.create({ ...spark, tags: ["nightly", "x".repeat(255)] });
  expect(commands()[0]!.tags).toEqual(["nightly", "x".repeat(255), expect.stringMatching(/^pulumi-dataplatform:/)]);
});

test("beside cmdline nothing is sent, unless the program says so, and a refusal names what that is", async () => {
  const { life } = inProcess(command, emulator);
  const cmdline = { spark: { cmdline: "spark-submit x" } };
  await life.create(cmdline);
  expect(commands()[0]!.tags).toEqual([]);
  await life.create({ ...cmdline, tagSubmission: true });
  expect(commands()[1]!.tags).toHaveLength(1);
  fault({ kind: "respond", status: 422 });
  const refused = life.create({ ...cmdline, tagSubmission: true, timeout: 5 });
  await expect(refused).rejects.toThrow("omit timeout, tagSubmission");
  await expect(life.create(cmdline)).rejects.toThrow(/^(?!.*omit).*\(422\)/s);
});

describe("what is sent", () => {
  const bodyOf = async (inputs: Record<string, unknown>): Promise<Record<string, unknown>> => {
    await inProcess(command, emulator).life.create(inputs);
    const { tags: _, ...body } = emulator.requests().requests.at(-1)!.body as Record<string, unknown>;
    return body;
  };

  test("Spark: the language follows from sql and cmdline", async () => {
    const command_type = "SparkCommand";
    expect(await bodyOf(spark)).toEqual({ command_type, sql: "select 1", language: "sql" });
    const cmdline = "spark-submit x";
    expect(await bodyOf({ spark: { cmdline } })).toEqual({ command_type, cmdline, language: "command_line" });
  });

  test("Spark: all parameters under the API's names", async () => {
    const given = {
      ...{ scriptLocation: "s3://scripts/a.py", language: "python", arguments: "-n 2", userProgramArguments: "a b" },
      ...{ retry: 3, retryDelay: 5, appId: "77", pool: "fair" },
    };
    const common = { label: "etl", name: "job", macros: [{ day: "Date.now" }], timeout: 600 };
    const named = Object.entries(given).map(([name, value]) => [name.replace(/[A-Z]/g, "_$&").toLowerCase(), value]);
    const expected = { command_type: "SparkCommand", ...Object.fromEntries(named), ...common };
    expect(await bodyOf({ spark: given, ...common })).toEqual(expected);
  });
});

const loading = (loaderStable: unknown) => ({ tableRefresh: { dbName: "a", hiveTable: "b", loaderStable } });
test.each<[one: Args, other: Args]>([
  [spark, { spark: { ...spark.spark, language: "sql" } }],
  [{ spark: { cmdline: "spark-submit x" } }, { spark: { cmdline: "spark-submit x", language: "command_line" } }],
  [spark, { ...spark, timeout: 129_600, tags: [], macros: [], triggers: [] }],
  [loading(1), loading("1")],
  [
    { ...spark, triggers: {} },
    { ...spark, triggers: [] },
  ],
])("what is sent as the same request is not submitted again: %j, then %j", (one, other) => {
  expect(diffInputs(command, one, other).changed).toEqual([]);
  expect(diffInputs(command, other, one).changed).toEqual([]);
  expect(diffInputs(command, one, { ...other, triggers: ["again"] }).replaces).toEqual(["triggers"]);
});

test("another language or another number is another command", () => {
  expect(diffInputs(command, spark, { spark: { ...spark.spark, language: "scala" } }).replaces).toEqual(["spark"]);
  expect(diffInputs(command, spark, { ...spark, timeout: 60 }).replaces).toEqual(["timeout"]);
});
