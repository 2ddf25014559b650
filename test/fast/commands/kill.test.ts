import { describe, expect, test } from "vitest";
import type { Emulator } from "../../../emulator";
import { Client } from "../../../provider/api/client";
import { Lifecycle } from "../../../provider/core/lifecycle";
import { Finder, watchOf } from "../../../provider/platform/commands/history";
import { kill } from "../../../provider/platform/commands/wait";
import { command } from "../../../provider/resources/command";
import { answers } from "../../harness/emulators";
import { request } from "../../harness/http";
import { createdBy, failureOf, inProcess } from "../../harness/in-process";
import { cancelled, countsOf, notFound, on, once, spark, startPlatforms, statusOf } from "./platforms";

const onDestroy = "kill";
const { emulator, half, none } = startPlatforms();
const cancels = () => countsOf(emulator)["commands.cancel"] ?? 0;

describe("destroying a command", () => {
  const running = (platform: Emulator = emulator) => createdBy(on(platform), { ...spark, onDestroy });

  test("waits until it is cancelled, and says how far it is", async () => {
    emulator.setReadings({ cancelSeconds: 30 });
    const { life, said, id, state } = await running();
    const deleted = life.delete(id, state);
    await once(0, emulator, "commands.cancel");
    await new Promise((done) => setTimeout(done, 300));
    emulator.advance(60);
    await deleted;
    expect(said.infos).toContain(`Command: killing command ${id}: cancelling after 0 s`);
  });

  test("sends nothing for one that has ended", async () => {
    const { life, said, id, state } = await running();
    emulator.advance(100);
    await life.delete(id, state);
    const read = await life.read(id, state);
    await life.delete(id, read!.state);
    expect([cancels(), said.warnings]).toEqual([0, []]);
  });

  test.each([
    ["the response is lost", { kind: "reset-after", times: 1 }],
    ["it is killed, but the response refuses", { kind: "respond", status: 422, body: {}, work: "do" }],
  ] as const)("succeeds if %s", async (_, fault) => {
    const { life, said, id, state } = await running();
    emulator.setFaults({ rules: [{ operation: "commands.cancel", ...fault }] });
    await life.delete(id, state);
    expect([statusOf(id, emulator), said.warnings]).toEqual(["killed", []]);
  });

  test.each([
    ["the platform refuses to kill it", 422, /cannot delete Command \d+: could not cancel a command.*not here/],
    ["the token may not do it", 403, /403.*a role that allows/],
  ])("fails if %s, so that it stays in the state", async (_, status, says) => {
    const { life, id, state } = await running();
    answers(emulator, "commands.cancel", status, notFound);
    await expect(life.delete(id, state)).rejects.toThrow(says);
  });

  test.each([
    ["has no such operation", () => none],
    ["answers 404 in its own form", () => emulator],
  ])("only warns if the platform %s", async (_, platform) => {
    const { life, said, id, state } = await running(platform());
    if (platform() === emulator) answers(emulator, "commands.cancel", 404, notFound);
    await life.delete(id, state);
    expect(statusOf(id, platform())).toBe("not killed");
    expect(said.warnings.at(-1)).toBe(
      `Command: command ${id} stays on the platform: it was last seen with status waiting, and the API cannot stop a command`,
    );
    expect(said.warnings.filter((warning) => warning.includes("cancel a command"))).toHaveLength(1);
  });

  test("says that a command is gone which no list shows", async () => {
    const { life, said, id, state } = await running();
    await request(emulator, "DELETE", `/_emulator/state/commands/${id}`);
    await life.delete(id, state);
    expect(said.warnings).toEqual([`Command: command ${id} was not killed: the platform does not know it any more`]);
  });

  test("works with a token that may not see commands", async () => {
    const { life, said, id, state } = await running();
    answers(emulator, ["commands.status", "commands.history"], 403);
    await life.delete(id, state);
    expect(statusOf(id, emulator)).toBe("killed");
    const says = `Command: command ${id} was killed, but the platform does not show what became of it`;
    expect(said.warnings.at(-1)).toBe(says);
  });

  test("keeps it by default, with a warning", async () => {
    const { life, said, id, state } = await createdBy(on(emulator), spark);
    await life.delete(id, state);
    expect([cancels(), said.warnings]).toEqual([
      0,
      [
        `Command: command ${id} stays on the platform: it was last seen with status waiting, and onDestroy is not "kill"`,
      ],
    ]);
  });
});

test("a token that may not see the commands of all users looks among its own", async () => {
  const { client, id } = await createdBy(on(emulator), spark);
  answers(emulator, "commands.history", 403, undefined, { nth: 1 });
  emulator.clearRequests();
  expect(await new Finder(client).byId(id, undefined)).toMatchObject({ id: Number(id) });
  const asked = emulator.requests().requests.map(({ path }) => path.includes("all_users"));
  expect(asked).toEqual([true, false]);
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
  expect(cancels()).toBe(1);
});

describe("a wait that ends early", () => {
  const wait = { timeoutSeconds: 0.2, killOnTimeout: true };

  test("kills the command after the timeout, and the state says so", async () => {
    const { life } = on(emulator);
    const { existing, reason } = await failureOf(life.create({ ...spark, wait }));
    expect(reason).toMatch(/^timed out after 0.2 s .* last seen with status waiting\. The command was killed; raise/);
    expect([existing.state["status"], statusOf(existing.id, emulator)]).toEqual(["cancelled", "killed"]);
    // The next up says so again, and neither waits for it nor submits another one.
    expect(life.diff(existing.state, { ...spark, wait }).changed).toEqual(["wait"]);
    await expect(life.update(existing.id, existing.state, { ...spark, wait })).rejects.toThrow("status cancelled");
    expect(countsOf(emulator)["commands.submit"]).toBe(1);
  });

  test.each([
    ["has no such operation", () => none, "could not be killed, because the platform does not allow that"],
    ["refuses", () => emulator, "Killing it failed (could not cancel a command: "],
  ])("says that the command was not killed if the platform %s", async (_, platform, says) => {
    if (platform() === emulator) answers(emulator, "commands.cancel", 422);
    const { existing, reason } = await failureOf(on(platform()).life.create({ ...spark, wait }));
    expect([existing.state["status"], reason]).toEqual(["waiting", expect.stringContaining(says)]);
  });

  test("succeeds if the command is done when it is to be killed", async () => {
    emulator.setFaults({ rules: [{ operation: "commands.status", kind: "latency", latencyMs: 500, nth: 2 }] });
    const made = on(emulator).life.create({ ...spark, wait });
    await once(100, emulator, "commands.status");
    expect([(await made).state["status"], cancels()]).toEqual(["done", 0]);
  });

  test("does not kill the command unless asked to", async () => {
    const killing = { killOnTimeout: true };
    const { existing, reason } = await cancelled(emulator, killing, (signal) => on(emulator, { signal }));
    expect([statusOf(existing.id, emulator), reason]).toEqual([
      "not killed",
      expect.stringContaining("and keeps running"),
    ]);
  });

  test.each([
    ["by id", () => emulator],
    ["from the history", () => half],
  ])("kills the command when the whole run is cancelled: status %s", async (_, platform) => {
    const its = on(platform());
    const log = { info() {}, warn() {} };
    let cancellable: Client | undefined;
    const { existing, reason } = await cancelled(platform(), { killOnCancel: true }, (signal) => {
      // As in plugin mode: cancellation stops the client of the run, and all its shared reads.
      const client = new Client(its.client.settings, {}, signal);
      cancellable = client;
      return { ...its, life: new Lifecycle(command, { client: () => client, log, extendedApi: () => true }) };
    });
    const says = /stopped waiting for command \d+: the operation was cancelled.* The command was killed\. Logs/;
    expect(reason).toMatch(says);
    expect([existing.state["status"], statusOf(existing.id, platform())]).toEqual(["cancelled", "killed"]);
    await cancellable!.close();
  });
});

test("what needs the extended API is an error while it is off", () => {
  const check = (more: object) => inProcess(command, emulator).life.check({ ...spark, ...more }).failures;
  const failures = check({ onDestroy, wait: { killOnTimeout: true, killOnCancel: true } });
  expect(failures.map(({ property }) => property)).toEqual(["onDestroy", "wait.killOnTimeout", "wait.killOnCancel"]);
  expect(failures[1]?.reason).toMatch(/^is true, which needs the extended API; set dataplatform:extendedApi to true/);
  expect(check({ onDestroy: "keep", wait: { killOnTimeout: false } })).toEqual([]);
});
