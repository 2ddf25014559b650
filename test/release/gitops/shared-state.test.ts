import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../../emulator";
import { type Database, startPostgres } from "../../harness/postgres";
import { Team } from "../../harness/team";
import { GoBetween } from "../../sweep/chaos/go-between";

let database: Database;
let emulator: Emulator;
let between: GoBetween;
let team: Team;

beforeAll(async () => {
  database = await startPostgres();
  emulator = await startEmulator();
  between = await GoBetween.start(emulator.url);
  team = await Team.start({ url: between.url, tokens: emulator.tokens }, database.url);
});
afterAll(async () => {
  await team?.remove();
  await between?.stop();
  await emulator?.close();
  database?.stop();
});

test("two pipelines at once, with their state in PostgreSQL: the second waits or fails with a clear message", async () => {
  expect((await team.pipeline("preview")).code).toBe(0);
  // The first run stays in the middle of its work until the others have met it.
  let resume = (): void => undefined;
  const resumed = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    between.reset(async ({ method, text }) => {
      if (method === "GET") return text;
      resolve();
      await resumed;
      return text;
    });
  });
  const first = team.pipeline("apply", "main", { DATAPLATFORM_REQUEST_TIMEOUT_SECONDS: "600" });
  await Promise.race([reached, first]);

  const patient = team.pipeline("repair");
  const notWaiting = await team.pipeline("repair", "main", { LOCK_SECONDS: "0" });
  resume();
  expect(notWaiting).toMatchObject({
    code: 1,
    report: expect.stringMatching(/another run holds it[\s\S]*the stack is currently locked by \d+ lock/),
  });
  expect(await first).toMatchObject({ code: 0, report: expect.stringContaining("5 created") });
  const second = await patient;
  expect(second, second.stdout + second.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("another run holds dev: waiting for it"),
    report: expect.stringMatching(/5 unchanged/),
  });
  const { whitelist } = emulator.state().accounts[0]!;
  expect(whitelist.map(({ ip_cidr }) => ip_cidr).sort()).toEqual(["2001:db8::7", "203.0.113.7"]);
});
