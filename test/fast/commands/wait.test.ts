import { describe, expect, test } from "vitest";
import { command } from "../../../provider/resources/command";
import { freshEmulator } from "../../harness/emulators";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import { countsOf, once, outcome, spark } from "./extended-platforms";

const day = 24 * 60 * 60;
const emulator = freshEmulator({ clock: "manual", waitSeconds: 5, runSeconds: 10 });
const calls = (): number => countsOf(emulator)["commands.history"] ?? 0;

describe("waiting for a command", () => {
  test("ends when the command is done, with one short line per change", async () => {
    const { life, said } = inProcess(command, emulator);
    const made = life.create({ ...spark, wait: { interval: 1 } });
    await once(8, emulator);
    await new Promise((done) => setTimeout(done, 1500));
    emulator.advance(100);
    const { id, state } = await made;
    expect(state).toMatchObject({ status: "done", progress: 100, endTime: expect.stringMatching(/Z$/) });
    expect(said.infos).toEqual([
      `Command: command ${id} submitted (waiting)`,
      expect.stringMatching(new RegExp(`^Command: command ${id} running \\(progress \\d+\\) after 1 s$`)),
      expect.stringMatching(new RegExp(`^Command: command ${id} done after [23] s$`)),
    ]);
  });

  test("says so when the platform kills the command after its timeout", async () => {
    await outcome({}, "never", emulator);
    const { life } = inProcess(command, emulator, { hurried: true });
    const made = failureOf(life.create({ ...spark, timeout: 80, wait: { interval: 1 } }));
    await once(200, emulator);
    const { existing, reason } = await made;
    expect(reason).toContain(`command ${existing.id} ended with status cancelled: killed after its timeout of 80`);
  });

  test("times out, keeps the command, and resumes at the next up", async () => {
    const { life } = inProcess(command, emulator);
    const wait = { timeout: 1.5, interval: 1 };
    const { existing, reason } = await failureOf(life.create({ ...spark, wait }));
    expect(reason).toContain(
      `timed out after 1.5 s (wait.timeoutSeconds) waiting for command ${existing.id}, last seen with status waiting`,
    );
    expect(life.diff(existing.state, { ...spark, wait })).toMatchObject({
      changed: ["wait"],
      replaces: [],
    });
    emulator.advance(100);
    const { state } = await life.update(existing.id, existing.state, { ...spark, wait });
    expect(state).toMatchObject({ status: "done" });
    expect(life.diff(state, { ...spark, wait }).changed).toEqual([]);
    expect(emulator.requests().counts["commands.submit"]).toBe(1);
  });

  test("an interruption leaves the command's id in the message and in the state", async () => {
    const stop = new AbortController();
    const { life } = inProcess(command, emulator, { signal: stop.signal });
    const made = failureOf(life.create({ ...spark, wait: true }));
    await once(0, emulator);
    setTimeout(() => stop.abort(), 50);
    const { existing, reason } = await made;
    expect(reason).toMatch(new RegExp(`stopped waiting for command ${existing.id}.*was submitted.*Logs: commands/`));
  });
});

describe("the history", () => {
  test("shows a command that is older than its default window, with one call", async () => {
    const { life, id, state } = await createdBy(inProcess(command, emulator), spark);
    emulator.advance(400 * day);
    emulator.clearRequests();
    expect((await life.read(id, state))?.state).toMatchObject({ status: "done", progress: 100 });
    expect(calls()).toBe(1);
  });

  test("is read once for concurrent callers, also for commands of other users", async () => {
    const { life } = inProcess(command, emulator, { token: "user" });
    const made = await Promise.all(Array.from({ length: 20 }, () => life.create(spark)));
    emulator.advance(100);
    emulator.clearRequests();
    const admin = inProcess(command, emulator).life;
    const read = await Promise.all(made.map(({ id, state }) => admin.read(id, state)));
    expect(read.map((one) => one?.state["status"])).toEqual(Array(20).fill("done"));
    expect(calls()).toBe(1);
  });

  test("provides everything it shows about an imported command", async () => {
    const { life, id } = await createdBy(inProcess(command, emulator), spark);
    emulator.advance(400 * day);
    expect((await life.read(id, {}))?.state).toMatchObject({ status: "done", commandType: "SparkCommand" });
    await expect(life.read("999999", {})).rejects.toThrow("command 999999 is not in the command history");
  });
});
