import { describe, expect, test } from "vitest";
import { command } from "../../../provider/resources/command";
import { answers } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import { cancelled, countsOf, notFound, on, once, outcome, spark, startPlatforms } from "./platforms";

const day = 24 * 60 * 60;
const { emulator, none } = startPlatforms();
const off = (options = {}) => inProcess(command, none, options);

describe("waiting for a command", () => {
  test("ends when the command is done, with one short line per change", async () => {
    const { life, said } = off();
    const made = life.create({ ...spark, wait: { interval: 1 } });
    await once(8, none);
    await new Promise((done) => setTimeout(done, 1500));
    none.advance(100);
    const { id, state } = await made;
    expect(state).toMatchObject({ status: "done", progress: 100, endTime: expect.stringMatching(/Z$/) });
    expect(said.infos).toEqual([
      `Command: command ${id} submitted (waiting)`,
      expect.stringMatching(new RegExp(`^Command: command ${id} running \\(progress \\d+\\) after 1 s$`)),
      expect.stringMatching(new RegExp(`^Command: command ${id} done after [23] s$`)),
    ]);
  });

  test("says so when the platform kills the command after its timeout", async () => {
    await outcome({}, "never", none);
    const made = failureOf(off({ hurried: true }).life.create({ ...spark, timeout: 80, wait: { interval: 1 } }));
    await once(200, none);
    const { existing, reason } = await made;
    expect(reason).toContain(`command ${existing.id} ended with status cancelled: killed after its timeout of 80`);
  });

  test("times out, keeps the command, and resumes at the next up", async () => {
    const { life } = off();
    const inputs = { ...spark, wait: { timeout: 1.5, interval: 1 } };
    const { existing, reason } = await failureOf(life.create(inputs));
    expect(reason).toContain(
      `timed out after 1.5 s (wait.timeoutSeconds) waiting for command ${existing.id}, last seen with status waiting`,
    );
    expect(life.diff(existing.state, inputs)).toMatchObject({ changed: ["wait"], replaces: [] });
    none.advance(100);
    const { state } = await life.update(existing.id, existing.state, inputs);
    expect([state["status"], life.diff(state, inputs).changed]).toEqual(["done", []]);
    expect(countsOf(none)["commands.submit"]).toBe(1);
  });

  test("an interruption leaves the command's id in the message and in the state", async () => {
    const { existing, reason } = await cancelled(none, true, (signal) => off({ signal }));
    expect(reason).toMatch(new RegExp(`stopped waiting for command ${existing.id}.*was submitted.*Logs: commands/`));
  });
});

describe("the history", () => {
  test("shows a command that is older than its default window, with one call; an import finds all it shows", async () => {
    const { life, id, state } = await createdBy(off(), spark);
    none.advance(400 * day);
    none.clearRequests();
    expect((await life.read(id, state))?.state).toMatchObject({ status: "done", progress: 100 });
    expect(countsOf(none)["commands.history"]).toBe(1);
    expect((await life.read(id, {}))?.state).toMatchObject({ status: "done", commandType: "SparkCommand" });
    await expect(life.read("999999", {})).rejects.toThrow("command 999999 is not in the command history");
  });

  test("is read once for concurrent callers, also for commands of other users", async () => {
    const { life } = off({ token: "user" });
    const made = await Promise.all(Array.from({ length: 20 }, () => life.create(spark)));
    none.advance(100);
    none.clearRequests();
    const admin = off().life;
    const read = await Promise.all(made.map(({ id, state }) => admin.read(id, state)));
    expect(read.map((one) => one?.state["status"])).toEqual(Array(20).fill("done"));
    expect(countsOf(none)["commands.history"]).toBe(1);
  });
});

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
    expect(countsOf(emulator)).toEqual({ "account.view": 1, "commands.status": 1 });
    expect((await life.read(id, {}))?.state).toMatchObject({ status: "done", commandType: "SparkCommand" });
  });

  test("may have ids and numbers as text", async () => {
    const { life, id, state } = await createdBy(on(emulator), spark);
    const shown = { id, status: "running", progress: "42", start_time: "1704067200" };
    answers(emulator, "commands.status", 200, { command: shown });
    const expected = { status: "running", progress: 42, startTime: "2024-01-01T00:00:00Z" };
    expect((await life.read(id, state))?.state).toMatchObject(expected);
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

  test("is kept, with a warning, if the token may not view it, or the platform no longer shows it", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), spark);
    emulator.advance(100);
    answers(emulator, "commands.status", 403, notFound);
    expect(await life.read(id, state)).toEqual({ id, state });
    emulator.clearFaults();
    await request(emulator, "DELETE", `/_emulator/state/commands/${id}`);
    expect((await life.read(id, state))?.state).toEqual(state);
    expect(said.warnings).toEqual([
      expect.stringMatching(/its state is kept: .*viewing command status/),
      expect.stringContaining("keeping its last known state (waiting)"),
    ]);
  });

  test("is polled by many waits at once, and the history is not read", async () => {
    const { life } = on(emulator);
    const made = Promise.all(Array.from({ length: 5 }, () => life.create({ ...spark, wait: { interval: 1 } })));
    await once(100, emulator, "commands.submit", 5);
    expect((await made).map(({ state }) => state["status"])).toEqual(Array(5).fill("done"));
    const counts = countsOf(emulator);
    expect([counts["commands.status"], counts["commands.history"]]).toEqual([5, undefined]);
  });
});

describe("the error of a failed command", () => {
  const failing = async (platform = emulator, inputs: object = spark) => {
    await outcome({}, "error", platform);
    platform.clearRequests();
    const made = failureOf(on(platform, { hurried: true }).life.create({ ...inputs, wait: { interval: 1 } }));
    await once(100, platform);
    return made;
  };
  const endOfLog = (log: string) => `the end of its log:\n${log}\nLogs: `;

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
    const shown = { kind: "respond", status: 200 } as const;
    const noErrorLog = { ...shown, operation: "commands.errorLogs", body: { error_log: null } };
    emulator.setFaults({ rules: [noErrorLog, { ...shown, operation: "commands.logs", body: log }] });
    expect((await failing()).reason).toContain(endOfLog(log));
  });

  test("has at most 20 lines and 2,000 characters of it", async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    answers(emulator, "commands.errorLogs", 200, { error_log: `${lines.join("\n")}\n\n` });
    expect((await failing()).reason).toContain(endOfLog(lines.slice(-20).join("\n")));
    answers(emulator, "commands.errorLogs", 200, { error_log: "x".repeat(100_000) });
    expect((await failing()).reason).toContain(endOfLog(`…${"x".repeat(2000)}`));
  });

  test("is reported without a log that cannot be read", async () => {
    emulator.setFaults({ rules: [{ operation: ["commands.errorLogs", "commands.logs"], kind: "500" }] });
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
