import { describe, expect, test } from "vitest";
import { Client } from "../../../provider/api/client";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { Finder, watchOf } from "../../../provider/platform/commands/history";
import { kill } from "../../../provider/platform/commands/wait";
import { command } from "../../../provider/resources/command";
import { answers } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import { countsOf, notFound, on, once, spark, startPlatforms, statusOf } from "./extended-platforms";

const onDestroy = "kill";
const { emulator, half, none } = startPlatforms();

describe("destroying a command", () => {
  test("waits until it is cancelled, and says how far it is", async () => {
    emulator.setReadings({ cancelSeconds: 30 });
    const { life, said, id, state } = await createdBy(on(emulator), { ...spark, onDestroy });
    const deleted = life.delete(id, state);
    while (!countsOf(emulator)["commands.cancel"]) await new Promise((done) => setTimeout(done, 10));
    await new Promise((done) => setTimeout(done, 300));
    emulator.advance(60);
    await deleted;
    expect(said.infos).toContain(`Command: killing command ${id}: cancelling after 0 s`);
  });

  test("sends nothing for one that has ended", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), { ...spark, onDestroy });
    emulator.advance(100);
    await life.delete(id, state);
    const read = await life.read(id, state);
    emulator.clearRequests();
    await life.delete(id, read!.state);
    expect(countsOf(emulator)["commands.cancel"] ?? 0).toBe(0);
    expect(said.warnings).toEqual([]);
  });

  test.each([
    ["the response is lost", { kind: "reset-after" as const, times: 1 }],
    [
      "it is killed, but the response refuses",
      { kind: "respond" as const, status: 422, body: {}, work: "do" as const },
    ],
  ])("succeeds if %s", async (_, fault) => {
    const { life, said, id, state } = await createdBy(on(emulator), { ...spark, onDestroy });
    emulator.setFaults({ rules: [{ operation: "commands.cancel", ...fault }] });
    await life.delete(id, state);
    expect(statusOf(id, emulator)).toBe("killed");
    expect(said.warnings).toEqual([]);
  });

  test.each([
    ["the platform refuses to kill it", 422, /cannot delete Command \d+: could not cancel a command.*not here/],
    ["the token may not do it", 403, /403.*a role that allows/],
  ])("fails if %s, so that it stays in the state", async (_, status, says) => {
    const { life, id, state } = await createdBy(on(emulator), { ...spark, onDestroy });
    answers(emulator, "commands.cancel", status, notFound);
    await expect(life.delete(id, state)).rejects.toThrow(says);
  });

  test.each([
    ["has no such operation", () => none, undefined],
    ["answers 404 in its own form", () => emulator, 404],
  ])("only warns if the platform %s", async (_, platform, status) => {
    const { life, said, id, state } = await createdBy(on(platform()), { ...spark, onDestroy });
    if (status) answers(platform(), "commands.cancel", status, notFound);
    await life.delete(id, state);
    expect(statusOf(id, platform())).toBe("not killed");
    expect(said.warnings.at(-1)).toBe(
      `Command: command ${id} stays on the platform: it was last seen with status waiting, and the API cannot stop a command`,
    );
    expect(said.warnings.filter((warning) => warning.includes("cancel a command"))).toHaveLength(1);
  });

  test("says that a command is gone which no list shows", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), { ...spark, onDestroy });
    await request(emulator, "DELETE", `/_emulator/state/commands/${id}`);
    await life.delete(id, state);
    expect(said.warnings).toEqual([`Command: command ${id} was not killed: the platform does not know it any more`]);
  });

  test("works with a token that may not see commands", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), { ...spark, onDestroy });
    answers(emulator, ["commands.status", "commands.history"], 403);
    await life.delete(id, state);
    expect(statusOf(id, emulator)).toBe("killed");
    expect(said.warnings.at(-1)).toBe(
      `Command: command ${id} was killed, but the platform does not show what became of it`,
    );
  });

  test("keeps it by default, with a warning", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), spark);
    emulator.clearRequests();
    await life.delete(id, state);
    expect(countsOf(emulator)["commands.cancel"] ?? 0).toBe(0);
    expect(said.warnings).toEqual([
      `Command: command ${id} stays on the platform: it was last seen with status waiting, and onDestroy is not "kill"`,
    ]);
  });
});

test("a token that may not see the commands of all users looks among its own", async () => {
  const { client, id } = await createdBy(on(emulator), spark);
  emulator.setFaults({ rules: [{ operation: "commands.history", kind: "respond", status: 403, nth: 1 }] });
  emulator.clearRequests();
  expect(await new Finder(client).byId(id, undefined)).toMatchObject({ id: Number(id) });
  emulator.setFaults({ rules: [] });
  const asked = emulator.requests().requests.map(({ path }) => path);
  expect(asked.map((path) => path.includes("all_users"))).toEqual([true, false]);
});

test("a kill that takes too long is accepted, and the command is returned as it was last seen", async () => {
  emulator.setReadings({ cancelSeconds: 1000 });
  const { client, id } = await createdBy(on(emulator), spark);
  const context = { api: client, log: { info() {}, warn() {} }, run: undefined as never };
  const watch = watchOf(context, id, undefined, new Finder(client));
  const killed = await kill(context, id, watch, 0.1);
  expect(killed).toMatchObject({ outcome: "accepted", command: { status: "cancelling" } });
  // It is not killed a second time.
  expect(await kill(context, id, watch, 0)).toMatchObject({ outcome: "accepted" });
  expect(countsOf(emulator)["commands.cancel"]).toBe(1);
});

describe("a wait that ends early", () => {
  const wait = { timeoutSeconds: 0.2, killOnTimeout: true };

  test("kills the command after the timeout, and the state says so", async () => {
    const { life } = on(emulator);
    const { existing, reason } = await failureOf(life.create({ ...spark, wait }));
    expect(reason).toMatch(/^timed out after 0.2 s .* last seen with status waiting\. The command was killed; raise/);
    expect(existing.state).toMatchObject({ status: "cancelled" });
    expect(statusOf(existing.id, emulator)).toBe("killed");
    // The next up says so again, and neither waits for it nor submits another one.
    expect(life.diff(existing.state, { ...spark, wait }).changed).toEqual(["wait"]);
    await expect(life.update(existing.id, existing.state, { ...spark, wait })).rejects.toThrow("status cancelled");
    expect(countsOf(emulator)["commands.submit"]).toBe(1);
  });

  test.each([
    ["has no such operation", () => none, undefined, "could not be killed, because the platform does not allow that"],
    ["refuses", () => emulator, 422, "Killing it failed (could not cancel a command: "],
  ])("says that the command was not killed if the platform %s", async (_, platform, status, says) => {
    if (status) answers(platform(), "commands.cancel", status, {});
    const { existing, reason } = await failureOf(on(platform()).life.create({ ...spark, wait }));
    expect(reason).toContain(says);
    expect(existing.state).toMatchObject({ status: "waiting" });
  });

  test("succeeds if the command is done when it is to be killed", async () => {
    const { life } = on(emulator);
    emulator.setFaults({ rules: [{ operation: "commands.status", kind: "latency", latencyMs: 500, nth: 2 }] });
    const made = life.create({ ...spark, wait });
    await once(0, emulator);
    while (!countsOf(emulator)["commands.status"]) await new Promise((done) => setTimeout(done, 5));
    emulator.advance(100);
    expect((await made).state).toMatchObject({ status: "done" });
    expect(countsOf(emulator)["commands.cancel"] ?? 0).toBe(0);
  });

  test("does not kill the command unless asked to", async () => {
    const stop = new AbortController();
    const { life } = on(emulator, { signal: stop.signal });
    const made = failureOf(life.create({ ...spark, wait: { killOnTimeout: true } }));
    await once(0, emulator);
    setTimeout(() => stop.abort(), 50);
    const { existing, reason } = await made;
    expect(reason).toContain("and keeps running");
    expect(statusOf(existing.id, emulator)).toBe("not killed");
  });

  test.each([
    ["by id", () => emulator],
    ["from the history", () => half],
  ])("kills the command when the whole run is cancelled: status %s", async (_, platform) => {
    const stop = new AbortController();
    const { client } = on(platform());
    const log = { info() {}, warn() {} };
    // As in plugin mode: cancellation stops the client of the run, and all its shared reads.
    const cancellable = new Client(client.settings, {}, stop.signal);
    const life = new Lifecycle(command, { client: () => cancellable, log, extendedApi: () => true });
    const made = failureOf(life.create({ ...spark, wait: { killOnCancel: true } }));
    await once(0, platform());
    setTimeout(() => stop.abort(), 50);
    const { existing, reason } = await made;
    expect(reason).toMatch(
      /stopped waiting for command \d+: the operation was cancelled.* The command was killed\. Logs/,
    );
    expect(existing.state).toMatchObject({ status: "cancelled" });
    expect(statusOf(existing.id, platform())).toBe("killed");
    await cancellable.close();
  });
});

test("what needs the extended API is an error while it is off", () => {
  const check = (more: object) => inProcess(command, emulator).life.check({ ...spark, ...more }).failures;
  const failures = check({ onDestroy, wait: { killOnTimeout: true, killOnCancel: true } });
  expect(failures.map(({ property }) => property)).toEqual(["onDestroy", "wait.killOnTimeout", "wait.killOnCancel"]);
  expect(failures[1]?.reason).toMatch(/^is true, which needs the extended API; set dataplatform:extendedApi to true/);
  expect(check({ onDestroy: "keep", wait: { killOnTimeout: false } })).toEqual([]);
});
