import { describe, expect, test } from "vitest";
import { command } from "../../../provider/resources/command";
import { answers } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import { countsOf, notFound, on, once, outcome, spark, startPlatforms } from "./extended-platforms";

const { emulator, none } = startPlatforms();

describe("the status of a command", () => {
  test.each([
    {},
    { commandStatusTimes: "epoch-iso" },
    { commandStatusTimes: "as-history" },
    { commandStatusTimes: "as-history", commandTimes: "epoch" },
    { commandNulls: "absent", commandStatusQlog: "as-history" },
  ] as const)("comes from the command itself, and is the same as from the history: %j", async (readings) => {
    const { life, id, state } = await createdBy(on(emulator), spark);
    emulator.advance(100);
    const before = await inProcess(command, emulator).life.read(id, state);
    emulator.setReadings(readings);
    emulator.clearRequests();
    const read = await life.read(id, state);
    expect(read?.state).toMatchObject({ status: "done", progress: 100 });
    // Only the view shows the query log.
    expect({ ...read?.state, ...before?.state }).toEqual(read?.state);
    expect(countsOf(emulator)).toMatchObject({ "commands.status": 1 });
    expect(countsOf(emulator)["commands.history"] ?? 0).toBe(0);
    expect((await life.read(id, {}))?.state).toMatchObject({ status: "done", commandType: "SparkCommand" });
  });

  test("ids and numbers may be text", async () => {
    const { life, id, state } = await createdBy(on(emulator), spark);
    answers(emulator, "commands.status", 200, {
      command: { id, status: "running", progress: "42", start_time: "1704067200" },
    });
    expect((await life.read(id, state))?.state).toMatchObject({
      status: "running",
      progress: 42,
      startTime: "2024-01-01T00:00:00Z",
    });
  });

  test("comes from the history where the installation has no such operation, after one warning", async () => {
    const { life, said } = on(emulator);
    const made = await Promise.all([life.create(spark), life.create(spark)]);
    emulator.advance(100);
    answers(emulator, "commands.status", 404, "<html>no such page</html>");
    for (const { id, state } of made) expect((await life.read(id, state))?.state).toMatchObject({ status: "done" });
    expect(said.warnings).toEqual([expect.stringMatching(/cannot view a command .*Continuing as without/)]);
    // A gateway sends such a page too, so it must come again.
    expect(countsOf(emulator)["commands.status"]).toBe(3);
  });

  test.each([
    ["does not know this one", 404, notFound],
    ["belongs to another command", 200, { id: 999, status: "error" }],
  ])("comes from the history if the response %s", async (_, status, body) => {
    const { life, said, id, state } = await createdBy(on(emulator), spark);
    emulator.advance(100);
    answers(emulator, "commands.status", status, body);
    expect((await life.read(id, state))?.state).toMatchObject({ status: "done" });
    expect(said.warnings).toEqual([]);
  });

  test("is kept, with a warning, if the token may not view it", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), spark);
    emulator.advance(100);
    answers(emulator, "commands.status", 403, notFound);
    expect(await life.read(id, state)).toEqual({ id, state });
    expect(said.warnings).toEqual([expect.stringMatching(/its state is kept: .*viewing command status/)]);
  });

  test("a command that the platform no longer shows is kept", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), spark);
    await request(emulator, "DELETE", `/_emulator/state/commands/${id}`);
    expect((await life.read(id, state))?.state).toEqual(state);
    expect(said.warnings).toEqual([expect.stringContaining("keeping its last known state (waiting)")]);
  });

  test("is polled by many waits at once, and the history is not read", async () => {
    const { life } = on(emulator);
    const made = Promise.all(Array.from({ length: 5 }, () => life.create({ ...spark, wait: { interval: 1 } })));
    await once(0, emulator);
    while (countsOf(emulator)["commands.submit"] !== 5) await new Promise((done) => setTimeout(done, 10));
    emulator.advance(100);
    expect((await made).map(({ state }) => state["status"])).toEqual(Array(5).fill("done"));
    expect(countsOf(emulator)).toMatchObject({ "commands.status": 5 });
    expect(countsOf(emulator)["commands.history"] ?? 0).toBe(0);
  });
});

describe("the error of a failed command", () => {
  const wait = { interval: 1 };
  const failing = async (platform = emulator, inputs: object = spark) => {
    await outcome({}, "error", platform);
    const made = failureOf(on(platform, { hurried: true }).life.create({ ...inputs, wait }));
    await once(100, platform);
    return made;
  };

  test("ends with its error log", async () => {
    const { existing, reason } = await failing();
    expect(reason).toBe(
      `command ${existing.id} ended with status error: the end of its log:\nan outcome rule of the emulator made this command fail\nLogs: commands/${existing.id}/logs; results: commands/${existing.id}/results. To submit it again, change a value in triggers, or run "pulumi up --replace" of this resource`,
    );
  });

  test.each([
    ["looks like JSON", '{"error": {"error_code": 404, "error_message": "in the log"}}'],
    ["looks like a page", "<html><body>a page that the job printed</body></html>"],
  ])("has the raw log if there is no error log, even if it %s", async (_, log) => {
    const rules = [
      { operation: "commands.errorLogs", kind: "respond" as const, status: 200, body: { error_log: null } },
      { operation: "commands.logs", kind: "respond" as const, status: 200, body: log },
    ];
    emulator.setFaults({ rules });
    expect((await failing()).reason).toContain(`the end of its log:\n${log}\nLogs: `);
  });

  test("has at most 20 lines and 2,000 characters of it", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    answers(emulator, "commands.errorLogs", 200, { error_log: `${lines.join("\n")}\n\n` });
    expect((await failing()).reason).toContain(`the end of its log:\n${lines.slice(-20).join("\n")}\nLogs: `);
    answers(emulator, "commands.errorLogs", 200, { error_log: "x".repeat(100_000) });
    emulator.clearRequests();
    expect((await failing()).reason).toContain(`the end of its log:\n…${"x".repeat(2000)}\nLogs: `);
  });

  test("is reported without a log that cannot be read", async () => {
    const rules = [{ operation: ["commands.errorLogs", "commands.logs"], kind: "500" as const }];
    emulator.setFaults({ rules });
    expect((await failing()).reason).toMatch(/^command \d+ ended with status error\. Logs: /);
    expect((await failing(none)).reason).toContain("ended with status error: an outcome rule of the emulator");
  });

  test("does not show a secret that the log quotes", async () => {
    const encryptionKey = "canary-key-4711";
    const s3DistCp = { src: "s3://a/b", dest: "s3://c/d", s3SSEAlgorithm: "SSE-C", encryptionKey };
    answers(emulator, "commands.errorLogs", 200, { error_log: `cannot use\n${encryptionKey}\nhere` });
    const { reason } = await failing(emulator, { s3DistCp });
    expect(reason).toContain("withheld because it may contain a secret");
    expect(reason).not.toContain("canary");
  });
});
